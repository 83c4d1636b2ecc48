package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.PathFields;
import org.treerename.rename.TreeStore.Reach;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * A point in time, read page by page; every page is strict. A page ends early where its documents reach the size of a bulk,
 * so that one page is moved in one bulk.
 */
final class ElasticScan implements Scan {

    private static final Logger log = LoggerFactory.getLogger(ElasticScan.class);
    private static final String KEEP_ALIVE = "5m";

    private final Elastic elastic;
    private final Namespace namespace;
    private final Path path;
    private final Reach reach;
    private final ElasticTreeStore.Limits limits;
    private final Deque<Document> read = new ArrayDeque<>();
    private String pitId;
    private JsonNode after = MissingNode.getInstance();

    private ElasticScan(
            Elastic elastic,
            Namespace namespace,
            Path path,
            Reach reach,
            ElasticTreeStore.Limits limits,
            String pitId) {
        this.elastic = elastic;
        this.namespace = namespace;
        this.path = path;
        this.reach = reach;
        this.limits = limits;
        this.pitId = pitId;
    }

    static ElasticScan open(
            Elastic elastic, Namespace namespace, Path path, Reach reach, ElasticTreeStore.Limits limits) {
        Elastic.Answer answer = elastic.post(
                "/" + namespace.index() + "/_pit?keep_alive=" + KEEP_ALIVE + "&allow_partial_search_results=false");
        if (!answer.isOk()) {
            throw new NoAnswerException("no point in time of " + namespace.index() + ": " + answer.json(), null);
        }
        String pitId = answer.json().required("id").asText();
        return new ElasticScan(elastic, namespace, path, reach, limits, pitId);
    }

    @Override
    public List<Document> nextPage() {
        if (read.isEmpty()) {
            read.addAll(search());
        }
        List<Document> page = new ArrayList<>();
        long bytes = 0;
        while (!read.isEmpty() && bytes < limits.bulkBytes()) {
            Document next = read.remove();
            bytes += next.source().bytes().length;
            page.add(next);
        }
        return page;
    }

    private List<Document> search() {
        ObjectNode body = Json.object()
                .put("size", limits.documents())
                .put("seq_no_primary_term", true)
                .put("track_total_hits", false);
        body.putObject("pit").put("id", pitId).put("keep_alive", KEEP_ALIVE);
        body.putArray("sort").add("_shard_doc");
        body.set("query", Queries.of(namespace, path, reach));
        if (after.isArray()) {
            body.set("search_after", after);
        }
        Elastic.Answer answer = elastic.post("/_search?allow_partial_search_results=false", body);
        if (!answer.isOk()) {
            throw new NoAnswerException("a page of " + path + " answered " + answer.json(), null);
        }
        SearchAnswer page = SearchAnswer.of(answer);
        String next = page.pitId();
        if (next != null) {
            pitId = next;
        }
        if (!page.hits().isEmpty()) {
            after = page.hits().getLast().sort();
        }
        return page.hits().stream().map(hit -> document(namespace, path, hit)).toList();
    }

    /** Where the path field is not one string, the document is taken to stand where it was looked for. */
    static Document document(Namespace namespace, Path lookedFor, SearchAnswer.Hit hit) {
        String path = PathFields.text(hit.source(), namespace.pathField()).orElse(lookedFor.text());
        return new Document(hit.ref(), path, hit.source());
    }

    /** Elasticsearch forgets it by itself after its keep-alive, so a failure here is told and no more. */
    @Override
    public void close() {
        try {
            elastic.delete("/_pit", Json.MAPPER.valueToTree(Map.of("id", pitId)));
        } catch (NoAnswerException | RefusedException e) {
            boolean told = e instanceof NoAnswerException silence && silence.isTold();
            log.atLevel(told ? Level.DEBUG : Level.WARN)
                    .log("a point in time of {} was not closed: {}", namespace.index(), e.getMessage());
        }
    }
}
