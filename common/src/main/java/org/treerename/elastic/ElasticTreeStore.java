package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.Document;
import org.treerename.rename.MoveStream;
import org.treerename.rename.PacedTreeStore;
import org.treerename.rename.PathFields;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeSnapshot;
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
     * @param documents of one read of a scan, and of one page, which is moved by one bulk
     * @param bulkBytes of the documents of a bulk, and about of a read's
     */
    public record Limits(int documents, int bulkBytes) {

        private static final int MOST = 100_000;
        private static final int DOCUMENTS = 20_000;
        private static final int READ = 5_000;
        private static final int PAGE_BYTES = 400 * 1024;
        private static final int BULK_BYTES = 4 * 1024 * 1024;

        /** What serves small documents and large ones: a page adapts to them below these. */
        public static final Limits DEFAULT = new Limits(DOCUMENTS, BULK_BYTES);

        public Limits {
            if (documents < 1 || documents > MOST) {
                throw new IllegalArgumentException("a page has 1 to " + MOST + " documents, found " + documents);
            }
            if (bulkBytes < 1) {
                throw new IllegalArgumentException("a bulk has at least 1 byte, found " + bulkBytes);
            }
        }

        public Limits withDocuments(int most) {
            return new Limits(most, bulkBytes);
        }

        /** How many documents one read asks for at most. */
        int ofOneRead() {
            return Math.min(documents, READ);
        }

        /** Of the documents of a page: as many as make a bulk that Elasticsearch takes fast, beside others. */
        int pageBytes() {
            return Math.min(bulkBytes, PAGE_BYTES);
        }
    }

    private static final int SLICES = 2;

    /** A rename does not wait for the end of its point in time. */
    private static final Executor BESIDE =
            task -> Thread.ofVirtual().name("tree-scan-end").start(task);

    /** Nor does it wait for an early refresh. */
    private static final Executor REFRESHING =
            task -> Thread.ofVirtual().name("tree-refresh").start(task);

    /** What a page may have where the heap is used up. */
    private static final long LEAST_BYTES = 64 * 1024;

    private static final int SETTINGS_UNDER_WAY = 1;

    private final Elastic elastic;
    private final Limits limits;
    private final Supplier<Collection<Namespace>> known;
    private final RefreshedSearch looks;
    private final TreeBulks bulks;
    private final HeapShare heap;
    private final Map<String, GroupCommit<Namespace, JsonNode>> settings = new ConcurrentHashMap<>();

    /** Where there is one namespace only. */
    public ElasticTreeStore(Elastic elastic, Limits limits) {
        this(elastic, limits, List::of);
    }

    /** For a program that asks for one rename at a time: its looks need no pace. */
    public ElasticTreeStore(Elastic elastic, Limits limits, Supplier<Collection<Namespace>> known) {
        this(elastic, limits, known, () -> 0);
    }

    /**
     * Creates a store. Threads that use the same store share requests that they make at the same moment.
     *
     * @param known every namespace that this process knows: no two may share an index
     * @param nanos a monotonic clock, by which the looks of a busy index are paced
     */
    public ElasticTreeStore(Elastic elastic, Limits limits, Supplier<Collection<Namespace>> known, LongSupplier nanos) {
        this.elastic = elastic;
        this.limits = limits;
        this.known = known;
        this.looks = new RefreshedSearch(elastic, nanos);
        this.bulks = new TreeBulks(elastic, limits.bulkBytes());
        this.heap = HeapShare.ofThisProcess(LEAST_BYTES);
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        JsonNode answer =
                settings.computeIfAbsent(namespace.index(), this::settingsOf).ask(namespace);
        if (answer.isEmpty()) {
            throw new NoAnswerException("the indices of " + namespace.index() + " are not in the answer", null);
        }
        Map<String, String> indices = new HashMap<>();
        answer.properties().forEach(e -> {
            JsonNode settings = e.getValue().path("settings").path("index");
            refuseFinalPipeline(e.getKey(), settings.path("final_pipeline").asText("_none"));
            refuseShared(namespace, e.getKey(), e.getValue().path("aliases"));
            indices.put(e.getKey(), Json.field(settings, "uuid").asText());
        });
        return indices;
    }

    private GroupCommit<Namespace, JsonNode> settingsOf(String index) {
        GroupCommit.Limits<Namespace> all = new GroupCommit.Limits<>(SETTINGS_UNDER_WAY, 1, one -> 0);
        return new GroupCommit<>(all, elastic::asking, group -> {
            Elastic.Answer answer = elastic.get("/" + index + "?features=aliases,settings");
            if (!answer.isOk()) {
                throw new RefusedException("there is no index or alias " + index);
            }
            return Collections.nCopies(group.size(), answer.json());
        });
    }

    /** Their locks would not keep the renames of the two apart. */
    private void refuseShared(Namespace namespace, String index, JsonNode aliases) {
        for (Namespace other : known.get()) {
            boolean isShared = other.index().equals(index) || aliases.has(other.index());
            if (isShared && !other.name().equals(namespace.name())) {
                throw new RefusedException("the namespaces " + namespace.name() + " and " + other.name()
                        + " share the index " + index + "; give each an index of its own: take " + index
                        + " out of the alias " + (other.index().equals(index) ? namespace : other).index());
            }
        }
    }

    /** No request that carries a whole document can keep it from running. */
    private static void refuseFinalPipeline(String index, String pipeline) {
        if (!pipeline.equals("_none")) {
            throw new RefusedException("the index " + index + " has the final pipeline " + pipeline
                    + ", which would run again over every document that moves; set index.final_pipeline to _none");
        }
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        RefreshedSearch.Seen seen = looks.look(new Question.Around(rename));
        return seen.found().snapshot(rename).seenAt(seen.node().address());
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        Question.Count count = new Question.Count(namespace, path, reach);
        RefreshedSearch.Seen seen = looks.look(count);
        long total = seen.found().count(count);
        if (total == 0) {
            return new EmptyScan();
        }
        return opened(seen.node(), new Slice.Reading(namespace, path, reach), total);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        if (snapshot.node().isEmpty()) {
            throw new IllegalArgumentException(
                    "request " + rename.requestId()
                            + ": a point in time must be opened at the node that examined the tree, but the facts name no node");
        }
        Slice.Reading reading = new Slice.Reading(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
        return opened(elastic.at(snapshot.node()), reading, snapshot.expected());
    }

    private ElasticScan opened(Elastic node, Slice.Reading reading, long total) {
        Limits own = limitsOf(reading.namespace());
        int slices = total < own.ofOneRead() ? 1 : SLICES;
        return ElasticScan.open(node, reading, new ElasticScan.Manner(own, heap, slices, BESIDE));
    }

    private Limits limitsOf(Namespace namespace) {
        return limits.withDocuments(
                PacedTreeStore.page(limits.documents(), namespace.rules().documentsPerSecond()));
    }

    /** A scan of no documents; it needs no point in time. */
    static final class EmptyScan implements Scan {
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
        return moves.isEmpty() ? List.of() : bulks.move(namespace, moves);
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return new ElasticMoveStream(
                moves -> move(namespace, moves),
                elastic::asking,
                limits.bulkBytes(),
                new EarlyRefresh(elastic, namespace.index(), REFRESHING));
    }

    @Override
    public List<Written> remove(List<Removal> removals) {
        return bulks.remove(removals);
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        ObjectNode body = Json.object();
        ObjectNode wanted =
                body.putArray("docs").addObject().put("_index", ref.index()).put("_id", ref.id());
        if (ref.routing() != null) {
            wanted.put("routing", ref.routing());
        }
        return SearchAnswer.ofGet(looks.refreshed(namespace.index()).post("/_mget?_source_exclude_vectors=false", body))
                .map(hit -> new Document(
                        hit.ref(), PathFields.path(namespace, hit.source()).orElse(""), hit.source()));
    }

    HeapShare heap() {
        return heap;
    }
}
