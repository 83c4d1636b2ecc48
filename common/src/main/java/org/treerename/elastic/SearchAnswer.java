package org.treerename.elastic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * The answer to one search. An answer is incomplete if it lacks the results of a shard, contains an error, or reports a
 * timeout. An incomplete answer is treated as no answer. The source of each document consists of the bytes that
 * Elasticsearch sent; this class does not serialize the JSON again.
 */
public final class SearchAnswer {

    /** A document that a search found. */
    public record Hit(Document.Ref ref, RawJson source, RawJson sort) {}

    private static final RawJson NOTHING = RawJson.of("null");

    private final byte[] bytes;
    private final List<Hit> hits = new ArrayList<>();
    private JsonNode total = MissingNode.getInstance();
    private JsonNode aggregations = MissingNode.getInstance();
    private JsonNode shards = MissingNode.getInstance();
    private JsonNode error = MissingNode.getInstance();
    private boolean timedOut = true;
    private boolean hasHits;
    private int status;
    private @Nullable String pitId;

    private SearchAnswer(byte[] bytes) {
        this.bytes = bytes;
    }

    public static SearchAnswer of(Elastic.Answer answer) {
        return parse(answer.body(), parser -> {
                    parser.nextToken();
                    return List.of(one(answer.body(), parser));
                })
                .getFirst()
                .complete();
    }

    /** Reads the answers to a request with several searches. The caller must call {@link #complete} on each answer. */
    static List<SearchAnswer> ofMany(Elastic.Answer answer) {
        return parse(answer.body(), parser -> {
            List<SearchAnswer> answers = new ArrayList<>();
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean responses = parser.currentName().equals("responses");
                parser.nextToken();
                if (!responses) {
                    parser.skipChildren();
                    continue;
                }
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    answers.add(one(answer.body(), parser));
                }
            }
            return answers;
        });
    }

    /** Decodes the answer to a real-time read of one document. Returns empty if the document does not exist. */
    static Optional<Hit> ofGet(Elastic.Answer answer) {
        JsonNode document = answer.json().path("docs").path(0);
        if (document.isMissingNode() || document.has("error")) {
            throw new NoAnswerException("expected a document, or that it does not exist, found " + answer.json(), null);
        }
        if (!document.path("found").asBoolean()) {
            return Optional.empty();
        }
        SearchAnswer read = new SearchAnswer(answer.body());
        try (JsonParser parser = Json.MAPPER.createParser(answer.body())) {
            while (parser.nextToken() != JsonToken.START_ARRAY) {
                // skip to the array "docs", the only field of the answer
            }
            parser.nextToken();
            return Optional.of(read.hit(parser));
        } catch (IOException e) {
            throw new NoAnswerException("the answer to a read is not JSON: " + e.getMessage(), e);
        }
    }

    public List<Hit> hits() {
        return hits;
    }

    /**
     * Returns the number of documents that match the search. The search must request an exact count.
     *
     * @throws NoAnswerException if the answer does not contain the number
     */
    long total() {
        return Json.field(total, "value").asLong();
    }

    public JsonNode aggregations() {
        return aggregations;
    }

    /** Returns the id of the point in time for the next page. The id may change from page to page. */
    @Nullable
    public String pitId() {
        return pitId;
    }

    @FunctionalInterface
    private interface Reading {
        List<SearchAnswer> read(JsonParser parser) throws IOException;
    }

    private static List<SearchAnswer> parse(byte[] bytes, Reading reading) {
        try (JsonParser parser = Json.MAPPER.createParser(bytes)) {
            return reading.read(parser);
        } catch (IOException e) {
            throw new NoAnswerException("the answer to a search is not JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Returns this answer if it contains the results of every shard.
     *
     * @throws NoAnswerException if the result of a shard is missing, the search timed out, or the answer has an error
     * @throws RefusedException if Elasticsearch refused the search
     */
    SearchAnswer complete() {
        if (status >= 400 && !AnswerStatus.isTransient(status)) {
            throw new RefusedException("Elasticsearch refused a search with status " + status + ": " + error);
        }
        boolean complete = error.isMissingNode()
                && !timedOut
                && hasHits
                && shards.path("failed").asInt(-1) == 0
                && shards.path("successful").asInt(-1) == shards.path("total").asInt(-2);
        if (!complete) {
            throw new NoAnswerException(
                    "a search returned a partial result (timed out: " + timedOut + ", contains hits: " + hasHits
                            + ", shards: " + shards + ", error: " + error + ")",
                    null);
        }
        return this;
    }

    /** Returns whether this answer names another number of searched shards. */
    boolean isOfOtherShards(int expected) {
        return shards.has("total") && shards.path("total").asInt() != expected;
    }

    /** Returns whether Elasticsearch ended the search because the time limit of the search was over. */
    boolean hasTimedOut() {
        return error.isMissingNode() && hasHits && timedOut;
    }

    /** The parser goes from the start of the answer to its end. */
    private static SearchAnswer one(byte[] bytes, JsonParser parser) throws IOException {
        SearchAnswer answer = new SearchAnswer(bytes);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "pit_id" -> answer.pitId = parser.getText();
                case "timed_out" -> answer.timedOut = parser.getBooleanValue();
                case "_shards" -> answer.shards = parser.readValueAsTree();
                case "aggregations" -> answer.aggregations = parser.readValueAsTree();
                case "status" -> answer.status = parser.getIntValue();
                case "error" -> answer.error = parser.readValueAsTree();
                case "hits" -> answer.readHits(parser);
                default -> parser.skipChildren();
            }
        }
        return answer;
    }

    private void readHits(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "total" -> total = parser.readValueAsTree();
                case "hits" -> {
                    hasHits = true;
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        hits.add(hit(parser));
                    }
                }
                default -> parser.skipChildren();
            }
        }
    }

    private Hit hit(JsonParser parser) throws IOException {
        String index = "";
        String id = "";
        String routing = null;
        long seqNo = -1;
        long term = -1;
        long external = 0;
        RawJson source = NOTHING;
        RawJson sort = NOTHING;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "_index" -> index = parser.getText();
                case "_id" -> id = parser.getText();
                case "_routing" -> routing = parser.getText();
                case "_seq_no" -> seqNo = parser.getLongValue();
                case "_primary_term" -> term = parser.getLongValue();
                case "_version" -> external = parser.getLongValue();
                case "sort" -> sort = raw(parser);
                case "_source" -> source = raw(parser);
                default -> parser.skipChildren();
            }
        }
        return new Hit(new Document.Ref(index, id, routing, new Version(seqNo, term), external), source, sort);
    }

    private RawJson raw(JsonParser parser) throws IOException {
        int begin = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        return new RawJson(
                Arrays.copyOfRange(bytes, begin, (int) parser.currentLocation().getByteOffset()));
    }
}
