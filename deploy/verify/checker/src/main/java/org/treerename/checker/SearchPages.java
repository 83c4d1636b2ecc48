package org.treerename.checker;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads every document of an index that matches a query, in one point in time, page by page. Returns only complete
 * results. Throws an exception if a shard fails, if a page times out, or if the number of documents differs from
 * Elasticsearch's count.
 */
final class SearchPages<T> {

    /**
     * Reads the value of {@code _source}. The parser is at the first token of the value before the call, and at the
     * last token after the call.
     */
    interface SourceReader<T> {
        T read(JsonParser source) throws IOException;
    }

    /** A document that matches the query, with its {@code _source} as {@link SourceReader} has read it. */
    record Hit<T>(String index, String id, @Nullable String routing, long seqNo, T source) {}

    private static final int PAGE = 2_000;
    private static final String KEEP_ALIVE = "2m";

    private final ElasticsearchHttp http;
    private final SourceReader<T> reader;
    private final List<Hit<T>> hits = new ArrayList<>();
    private String pit = "";
    private JsonNode after = MissingNode.getInstance();

    private SearchPages(ElasticsearchHttp http, SourceReader<T> reader) {
        this.http = http;
        this.reader = reader;
    }

    /** Refreshes the index, and then reads all documents that match the query. */
    static <T> List<Hit<T>> read(ElasticsearchHttp http, String index, JsonNode query, SourceReader<T> reader) {
        return new SearchPages<>(http, reader).all(index, query);
    }

    private List<Hit<T>> all(String index, JsonNode query) {
        JsonNode refreshed = http.post(index + "/_refresh").json();
        requireWhole("the refresh of " + index, refreshed.path("_shards"));
        pit = http.post(index + "/_pit?keep_alive=" + KEEP_ALIVE + "&allow_partial_search_results=false")
                .json()
                .required("id")
                .asText();
        try {
            int before;
            do {
                before = hits.size();
                page(index, query);
            } while (hits.size() > before);
        } finally {
            http.delete("_pit", ElasticsearchHttp.MAPPER.createObjectNode().put("id", pit));
        }
        return List.copyOf(hits);
    }

    private void page(String index, JsonNode query) {
        ObjectNode body = ElasticsearchHttp.MAPPER
                .createObjectNode()
                .put("size", PAGE)
                .put("track_total_hits", true)
                .put("seq_no_primary_term", true)
                .set("query", query);
        body.putObject("pit").put("id", pit).put("keep_alive", KEEP_ALIVE);
        body.putArray("sort").add("_shard_doc");
        if (after.isArray()) {
            body.set("search_after", after);
        }
        int before = hits.size();
        String answer =
                http.post("_search?allow_partial_search_results=false", body).orThrow();
        long total = -1;
        try (JsonParser parser = ElasticsearchHttp.MAPPER.createParser(answer)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "pit_id" -> pit = parser.getText();
                    case "timed_out" -> requireInTime(index, parser.getBooleanValue());
                    case "_shards" -> requireWhole("a page of " + index, parser.readValueAsTree());
                    case "hits" -> total = hits(parser);
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a page of " + index, e);
        }
        if (hits.size() == before && total != before) {
            throw new IllegalStateException("expected " + total + " documents of " + index + ", found " + before);
        }
    }

    private long hits(JsonParser parser) throws IOException {
        long total = -1;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "total" -> {
                    JsonNode counted = parser.readValueAsTree();
                    total = counted.required("value").asLong();
                }
                case "hits" -> {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        hits.add(hit(parser));
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return total;
    }

    private Hit<T> hit(JsonParser parser) throws IOException {
        String index = "";
        String id = "";
        String routing = null;
        long seqNo = -1;
        T source = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "_index" -> index = parser.getText();
                case "_id" -> id = parser.getText();
                case "_routing" -> routing = parser.getText();
                case "_seq_no" -> seqNo = parser.getLongValue();
                case "sort" -> after = parser.readValueAsTree();
                case "_source" -> source = reader.read(parser);
                default -> parser.skipChildren();
            }
        }
        if (source == null) {
            throw new IllegalStateException("expected _source in the document " + id + " of " + index + ", found none");
        }
        return new Hit<>(index, id, routing, seqNo, source);
    }

    private static void requireInTime(String index, boolean timedOut) {
        if (timedOut) {
            throw new IllegalStateException("a page of " + index + " timed out");
        }
    }

    private static void requireWhole(String what, JsonNode shards) {
        if (shards.required("failed").asInt() > 0) {
            throw new IllegalStateException("expected no failed shard in " + what + ", found " + shards);
        }
    }
}
