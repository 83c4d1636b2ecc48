package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.Facts;
import org.treerename.rename.PathFields;
import org.treerename.rename.RawJson;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeStore;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * The users' documents in Elasticsearch. Their default ingest pipelines do not run again; an index with a final pipeline,
 * which cannot be kept from running, is refused.
 */
public final class ElasticTreeStore implements TreeStore {

    /**
     * How much goes in one request.
     *
     * @param documents of one page of a scan
     * @param bulkBytes of its documents, after which a page ends early
     */
    public record Limits(int documents, int bulkBytes) {
        public Limits {
            if (documents < 1 || documents > 10_000) {
                throw new IllegalArgumentException("a page has 1 to 10000 documents, found " + documents);
            }
            if (bulkBytes < 1) {
                throw new IllegalArgumentException("a bulk has at least 1 byte, found " + bulkBytes);
            }
        }
    }

    private static final String BULK = "/_bulk?pipeline=_none";

    private static final int BULKS_UNDER_WAY = 2;

    /** Of a bulk that goes with others; a larger one goes alone. */
    private static final int SMALL_BYTES = 64 * 1024;

    private static final int SETTINGS_UNDER_WAY = 1;

    private final Elastic elastic;
    private final Limits limits;
    private final Looks looks;
    private final Groups<Bulk, List<Bulk.Item>> bulks;
    private final Map<String, Groups<Namespace, JsonNode>> settings = new ConcurrentHashMap<>();

    /** Those who share one of these share requests, where they make some at the same moment. */
    public ElasticTreeStore(Elastic elastic, Limits limits) {
        this.elastic = elastic;
        this.limits = limits;
        this.looks = new Looks(elastic);
        this.bulks = new Groups<>(
                new Groups.Limits<>(BULKS_UNDER_WAY, limits.bulkBytes(), Bulk::bytes),
                elastic::asking,
                group -> Bulk.send(group, elastic, BULK));
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        JsonNode answer =
                settings.computeIfAbsent(namespace.index(), this::settingsOf).ask(namespace);
        Map<String, String> indices = new HashMap<>();
        answer.properties().forEach(e -> {
            JsonNode settings = e.getValue().path("settings").path("index");
            refuseFinalPipeline(e.getKey(), settings.path("final_pipeline").asText("_none"));
            indices.put(e.getKey(), settings.required("uuid").asText());
        });
        return indices;
    }

    private Groups<Namespace, JsonNode> settingsOf(String index) {
        Groups.Limits<Namespace> all = new Groups.Limits<>(SETTINGS_UNDER_WAY, 1, one -> 0);
        return new Groups<>(all, elastic::asking, group -> {
            Elastic.Answer answer = elastic.get("/" + index + "/_settings");
            if (!answer.isOk()) {
                throw new RefusedException("there is no index or alias " + index);
            }
            return Collections.nCopies(group.size(), answer.json());
        });
    }

    /** No request that carries a whole document can keep it from running. */
    private static void refuseFinalPipeline(String index, String pipeline) {
        if (!pipeline.equals("_none")) {
            throw new RefusedException("the index " + index + " has the final pipeline " + pipeline
                    + ", which would run again over every document that moves; set index.final_pipeline to _none");
        }
    }

    @Override
    public Facts examine(Rename rename) {
        return new Surroundings(looks, rename).examine();
    }

    @Override
    public Scan scan(Namespace namespace, Path path, Reach reach) {
        ObjectNode anything = Queries.anything(Queries.of(namespace, path, reach));
        Looks.Seen seen = looks.look(namespace, List.of(anything));
        return seen.answers().getFirst().total() == 0
                ? new EmptyScan()
                : ElasticScan.open(seen.node(), namespace, path, reach, limits);
    }

    /** Of nothing, which a strict search has shown; it needs no point in time. */
    private static final class EmptyScan implements Scan {
        @Override
        public List<Document> nextPage() {
            return List.of();
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        List<Written> answers = new ArrayList<>(moves.size());
        Bulk bulk = new Bulk();
        List<Integer> places = new ArrayList<>();
        for (Move move : moves) {
            Optional<RawJson> rewritten = PathFields.rewritten(
                    move.document().source(), namespace.pathField(), namespace.pathFields(move.to()));
            if (rewritten.isEmpty()) {
                answers.add(new Written.Refused("its path field is not one string of its source"));
                continue;
            }
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.index(
                    target(move.document().ref()),
                    move.document().ref().version(),
                    rewritten.get().bytes());
        }
        send(bulk, places, answers);
        return answers;
    }

    @Override
    public List<Written> remove(List<Document.Ref> refs) {
        List<Written> answers = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        Bulk bulk = new Bulk();
        for (Document.Ref ref : refs) {
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.delete(target(ref), ref.version());
        }
        send(bulk, places, answers);
        return answers;
    }

    private static ObjectNode target(Document.Ref ref) {
        ObjectNode target = Json.object().put("_index", ref.index()).put("_id", ref.id());
        return ref.routing() == null ? target : target.put("routing", ref.routing());
    }

    private void send(Bulk bulk, List<Integer> places, List<Written> answers) {
        if (bulk.items() == 0) {
            return;
        }
        List<Bulk.Item> items = bulk.bytes() > SMALL_BYTES ? bulk.send(elastic, BULK) : bulks.ask(bulk);
        // of some taken and some not the answers tell more
        if (items.stream().allMatch(item -> item.isBlocked() && Elastic.isTransient(item.status()))) {
            throw new NoAnswerException(
                    "no document can be written: " + items.getFirst().reason(), null);
        }
        for (int i = 0; i < items.size(); i++) {
            answers.set(places.get(i), written(items.get(i)));
        }
    }

    /** 404 is the answer to the delete of a document that is gone, or to a write into an index that is. */
    private static Written written(Bulk.Item item) {
        if (item.isOk()) {
            return new Written.Done();
        }
        if (item.status() == 409 || Elastic.isTransient(item.status())) {
            return new Written.Unknown(item.reason());
        }
        boolean gone = item.status() == 404 && item.json().path("error").isMissingNode();
        return gone ? new Written.Done() : new Written.Refused(item.reason());
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        ObjectNode body = Json.object();
        ObjectNode wanted =
                body.putArray("docs").addObject().put("_index", ref.index()).put("_id", ref.id());
        if (ref.routing() != null) {
            wanted.put("routing", ref.routing());
        }
        return SearchAnswer.ofGet(looks.refreshed(namespace.index()).post("/_mget", body))
                .map(hit -> new Document(
                        hit.ref(),
                        PathFields.text(hit.source(), namespace.pathField()).orElse(""),
                        hit.source()));
    }
}
