package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.path.TreePath;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.PacedTreeStore;
import org.treerename.tree.PathFields;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Reads, moves and deletes the documents of users in Elasticsearch. A move does not run the default ingest pipeline of
 * the index again. The store refuses an index that does not permit renames ({@link TreeIndices}).
 */
public final class ElasticTreeStore implements TreeStore {

    /**
     * The limits of one request.
     *
     * @param documents the maximum number of documents in one read of a scan, and in one page; one bulk moves the
     *     documents of one page
     * @param bulkBytes the maximum number of bytes of the documents in one bulk, and approximately in one read
     */
    public record Limits(int documents, int bulkBytes) {

        private static final int MOST = 100_000;
        private static final int DOCUMENTS = 20_000;
        private static final int READ = 5_000;
        private static final int PAGE_BYTES = 400 * 1024;
        private static final int BULK_BYTES = 4 * 1024 * 1024;

        /**
         * The default limits, for small and large documents. Within these limits, a scan adapts the number of documents
         * of a page to the size of the documents.
         */
        public static final Limits DEFAULT = new Limits(DOCUMENTS, BULK_BYTES);

        public Limits {
            if (documents < 1 || documents > MOST) {
                throw new IllegalArgumentException("a page must have 1 to " + MOST + " documents, found " + documents);
            }
            if (bulkBytes < 1) {
                throw new IllegalArgumentException("a bulk request must have at least 1 byte, was " + bulkBytes);
            }
        }

        public Limits withDocuments(int most) {
            return new Limits(most, bulkBytes);
        }

        /** Returns the largest number of documents that one read requests. */
        int ofOneRead() {
            return Math.min(documents, READ);
        }

        /**
         * Returns the maximum number of bytes of the documents in a page. Elasticsearch processes a bulk of this size
         * fast, even while it processes other bulks.
         */
        int pageBytes() {
            return Math.min(bulkBytes, PAGE_BYTES);
        }
    }

    private static final int SLICES = 2;

    /** Closes points in time on separate threads, so that no rename waits for the requests. */
    private static final Executor CLOSING =
            task -> Thread.ofVirtual().name("tree-scan-end").start(task);

    /** Runs early refreshes on separate threads, so that no rename waits for an early refresh. */
    private static final Executor REFRESHING =
            task -> Thread.ofVirtual().name("tree-refresh").start(task);

    /** The maximum number of documents that are read to find the ids of the documents that cannot move. */
    private static final int MOST_READ = 100_000;

    private static final HeapShare HEAP = HeapShare.ofThisProcess();

    private final Elastic elastic;
    private final Limits limits;
    private final Rights rights;
    private final TreeIndices indices;
    private final RefreshedSearch searches;
    private final TreeBulks bulks;

    /** Creates a store for a program that uses one namespace only. */
    public ElasticTreeStore(Elastic elastic, Limits limits) {
        this(elastic, limits, List::of);
    }

    /** Creates a store without pacing of searches, for a program that processes one rename at a time. */
    public ElasticTreeStore(Elastic elastic, Limits limits, Supplier<Collection<Namespace>> known) {
        this(elastic, limits, known, () -> 0);
    }

    /**
     * Creates a store. Threads that use the same store at the same moment share requests.
     *
     * @param known returns every namespace that this process knows; no two of these namespaces may share an index
     * @param nanos a monotonic clock for the pacing of the searches of a busy index
     */
    public ElasticTreeStore(Elastic elastic, Limits limits, Supplier<Collection<Namespace>> known, LongSupplier nanos) {
        this.elastic = elastic;
        this.limits = limits;
        this.rights = new Rights(elastic);
        this.indices = new TreeIndices(elastic, known, rights);
        this.searches = new RefreshedSearch(elastic, nanos);
        this.bulks = new TreeBulks(elastic, limits.bulkBytes());
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return indices.read(namespace);
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        RefreshedSearch.Seen seen = searches.search(new Question.Around(rename));
        TreeSnapshot snapshot = seen.found()
                .snapshot(rename)
                .seenAt(seen.at().indices(), seen.node().address());
        return seen.found().hasOnePathEach(rename)
                ? snapshot
                : snapshot.withImmovable(immovable(rename, seen.node(), snapshot));
    }

    private List<String> immovable(Rename rename, Elastic node, TreeSnapshot snapshot) {
        Namespace namespace = rename.namespace();
        List<String> pathFields = namespace.fields().pathFields();
        Slice.Reading reading = new Slice.Reading(namespace, rename.source(), Reach.AT_OR_BELOW, pathFields);
        List<String> immovable = new ArrayList<>();
        long read = 0;
        try (Scan scan = opened(node, reading, snapshot.expected())) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                page.stream()
                        .filter(document ->
                                PathFields.path(namespace, document.source()).isEmpty())
                        .map(document -> document.ref().id() + ": " + PathFields.NOT_ONE_PATH)
                        .forEach(immovable::add);
                read += page.size();
                if (immovable.size() >= TreeSnapshot.SHOWN || read >= MOST_READ) {
                    break;
                }
            }
        }
        return immovable.isEmpty() && read >= MOST_READ
                ? List.of("some documents: " + PathFields.NOT_ONE_PATH)
                : immovable;
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        Question.Count count = new Question.Count(namespace, path, reach);
        RefreshedSearch.Seen seen = searches.search(count);
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
                            + ": a point in time must be opened at the node that examined the tree, but the snapshot names no node");
        }
        Slice.Reading reading = new Slice.Reading(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
        return opened(elastic.at(snapshot.node()), reading, snapshot.expected());
    }

    private ElasticScan opened(Elastic node, Slice.Reading reading, long total) {
        Limits own = limitsOf(reading.namespace());
        int slices = total < own.ofOneRead() ? 1 : SLICES;
        return ElasticScan.open(node, reading, new ElasticScan.Manner(own, HEAP, slices, CLOSING));
    }

    private Limits limitsOf(Namespace namespace) {
        return limits.withDocuments(
                PacedTreeStore.page(limits.documents(), namespace.rules().documentsPerSecond()));
    }

    /** A scan without documents. This scan needs no point in time. */
    static final class EmptyScan implements Scan {
        @Override
        public List<Document> nextPage() {
            return List.of();
        }

        @Override
        public void close() {
            // this scan has no point in time to close
        }
    }

    /**
     * Writes the new paths. Before, checks that this process still sees whole documents, because its role may have
     * changed since the last comparison of the indices.
     */
    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        Set<String> written = new LinkedHashSet<>();
        moves.forEach(move -> written.add(move.document().ref().index()));
        List<TreeProblem> hiding = rights.hiding(written);
        if (!hiding.isEmpty()) {
            return Collections.nCopies(
                    moves.size(), new Written.Refused(hiding.getFirst().toString()));
        }
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
            // this request is raw JSON, because the typed request would send the routing value as an array
            wanted.put("routing", ref.routing());
        }
        Elastic node = searches.refreshed(namespace.index());
        String vectors = node.knowsExcludeVectors() ? "?_source_exclude_vectors=false" : "";
        return SearchAnswer.ofGet(node.raw().post("/_mget" + vectors, body))
                .map(hit -> new Document(
                        hit.ref(), PathFields.path(namespace, hit.source()).orElse(""), hit.source()));
    }

    HeapShare heap() {
        return HEAP;
    }
}
