package org.treerename.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;

/**
 * Stores the documents of the users in memory. Searches see only the writes before the last refresh; single reads see
 * all writes. Each write has a unique sequence number. Any thread may call this class.
 */
public final class InMemoryTreeStore implements TreeStore {

    private record Key(String index, String id) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return index.equals(other.index) ? id.compareTo(other.id) : index.compareTo(other.index);
        }
    }

    private final int pageSize;
    private final Map<String, String> uuids = new TreeMap<>();
    private final Map<String, Set<String>> aliases = new TreeMap<>();
    private final SortedMap<Key, Document> documents = new TreeMap<>();

    /** For each deleted document, the external version of its deletion. */
    private final Map<Key, Long> deleted = new TreeMap<>();

    private List<Document> visible = List.of();
    private long lastSeqNo = -1;

    public InMemoryTreeStore(int pageSize) {
        this.pageSize = pageSize;
    }

    public synchronized void createIndex(String index) {
        lastSeqNo++;
        uuids.put(index, index + "-" + lastSeqNo);
    }

    public synchronized void alias(String alias, String... indices) {
        aliases.put(alias, new TreeSet<>(List.of(indices)));
    }

    /** Returns the concrete indices behind an index or alias. */
    public synchronized Set<String> concrete(String index) {
        return aliases.getOrDefault(index, uuids.containsKey(index) ? Set.of(index) : Set.of());
    }

    /** Writes a document unconditionally, like a program that acquires no locks. */
    public synchronized Document.Ref put(String index, String id, @Nullable String routing, String source) {
        return put(index, id, routing, source, there(new Key(index, id)) + 1);
    }

    /** Writes a document with a version that another system sets. Replaces even a document with a higher version. */
    public synchronized Document.Ref put(
            String index, String id, @Nullable String routing, String source, long external) {
        lastSeqNo++;
        Document.Ref ref = new Document.Ref(index, id, routing, new Version(lastSeqNo, 1), external);
        documents.put(new Key(index, id), new Document(ref, "", RawJson.of(source)));
        return ref;
    }

    public synchronized void delete(String index, String id) {
        Key key = new Key(index, id);
        delete(key, there(key) + 1);
    }

    private void delete(Key key, long external) {
        documents.remove(key);
        deleted.put(key, external);
    }

    /** Returns the external version of a document or of its deletion; 0 if the document never existed. */
    private long there(Key key) {
        Document document = documents.get(key);
        return document == null ? deleted.getOrDefault(key, 0L) : document.ref().external();
    }

    /**
     * Returns a document in its current state. {@link Document#path} of the result is always empty: the path is only in
     * the source.
     */
    public synchronized Optional<Document> document(String index, String id) {
        return Optional.ofNullable(documents.get(new Key(index, id)));
    }

    /** Returns the current path of each document, by id. The namespace defines the path fields. */
    public synchronized SortedMap<String, String> paths(Namespace namespace) {
        SortedMap<String, String> paths = new TreeMap<>();
        documents.forEach((key, document) -> paths.put(
                key.id(), PathFields.path(namespace, document.source()).orElse("")));
        return paths;
    }

    /** Returns every document of a namespace in its current state, which searches may not see yet. */
    synchronized List<Document> all(Namespace namespace) {
        Set<String> indices = concrete(namespace.index());
        return documents.values().stream()
                .filter(document -> indices.contains(document.ref().index()))
                .toList();
    }

    @Override
    public synchronized Map<String, String> indices(Namespace namespace) {
        Map<String, String> indices = new LinkedHashMap<>();
        concrete(namespace.index())
                .forEach(index -> Optional.ofNullable(uuids.get(index)).ifPresent(uuid -> indices.put(index, uuid)));
        return indices;
    }

    @Override
    public synchronized Scan scan(Namespace namespace, TreePath path, Reach reach) {
        refresh();
        return new InMemoryScan(new ArrayList<>(search(namespace, path, reach)), pageSize);
    }

    @Override
    public synchronized Scan open(Rename rename, TreeSnapshot snapshot) {
        List<Document> seen = search(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
        return new InMemoryScan(new ArrayList<>(seen), pageSize);
    }

    /** A scan that returns the documents as they were at the beginning of the scan. */
    private record InMemoryScan(List<Document> left, int pageSize) implements Scan {
        @Override
        public List<Document> nextPage() {
            List<Document> next = left.subList(0, Math.min(pageSize, left.size()));
            List<Document> page = List.copyOf(next);
            next.clear();
            return page;
        }

        @Override
        public void close() {
            left.clear();
        }
    }

    private void refresh() {
        visible = List.copyOf(documents.values());
    }

    private List<Document> search(Namespace namespace, TreePath path, Reach reach) {
        Predicate<String> matches = text ->
                text.equals(path.text()) || (reach == Reach.AT_OR_BELOW && text.startsWith(path.prefixOfBelow()));
        return searched(namespace, matches)
                .map(document -> placed(namespace, document, path))
                .toList();
    }

    private Stream<Document> searched(Namespace namespace, Predicate<String> matches) {
        Set<String> indices = concrete(namespace.index());
        return visible.stream()
                .filter(document -> indices.contains(document.ref().index()))
                .filter(document -> paths(namespace, document).stream().anyMatch(matches));
    }

    /** Returns the paths by which a search finds the document. */
    private static List<String> paths(Namespace namespace, Document document) {
        return namespace.fields().pathFields().size() == 1
                ? IndexedField.values(document.source(), namespace.pathField())
                : PathFields.path(namespace, document.source()).stream().toList();
    }

    private static Document placed(Namespace namespace, Document document, TreePath lookedFor) {
        String path = PathFields.path(namespace, document.source()).orElse(lookedFor.text());
        return new Document(document.ref(), path, document.source());
    }

    @Override
    public synchronized TreeSnapshot examine(Rename rename) {
        refresh();
        Namespace namespace = rename.namespace();
        List<TreePath> ancestors = rename.destination().properAncestors();
        Set<TreePath> asked = new HashSet<>(ancestors);
        asked.add(rename.source());
        asked.add(rename.destination());
        List<String> below = below(namespace, rename.source());
        return new TreeSnapshot(
                        existing(namespace, asked),
                        search(namespace, rename.source(), Reach.AT),
                        below.size(),
                        !below(namespace, rename.destination()).isEmpty(),
                        longest(rename, below))
                .withImmovable(immovable(rename))
                .seenAt(indices(namespace).keySet(), "");
    }

    private List<String> immovable(Rename rename) {
        return search(rename.namespace(), rename.source(), Reach.AT_OR_BELOW).stream()
                .filter(document ->
                        PathFields.path(rename.namespace(), document.source()).isEmpty())
                .map(document -> document.ref().id() + ": " + PathFields.NOT_ONE_PATH)
                .toList();
    }

    private List<Existing> existing(Namespace namespace, Collection<TreePath> asked) {
        Set<String> texts = new HashSet<>();
        asked.forEach(path -> texts.add(path.text()));
        return searched(namespace, texts::contains)
                .map(document -> new Existing(
                        document.ref(),
                        namespace
                                .notation()
                                .path(PathFields.path(namespace, document.source())
                                        .orElseThrow()),
                        isDirectory(namespace, document)))
                .toList();
    }

    private static boolean isDirectory(Namespace namespace, Document document) {
        return namespace
                .directoryDocuments()
                .filter(directories -> PathFields.text(document.source(), directories.field())
                        .equals(Optional.of(directories.value())))
                .isPresent();
    }

    private List<String> below(Namespace namespace, TreePath path) {
        Predicate<String> isBelow = text -> text.startsWith(path.prefixOfBelow());
        return searched(namespace, isBelow)
                .flatMap(document ->
                        paths(namespace, document).stream().filter(isBelow).limit(1))
                .toList();
    }

    private static Longest longest(Rename rename, List<String> below) {
        TreePath source = rename.source();
        TreePath destination = rename.destination();
        boolean inLength = codePoints(destination.text()) > codePoints(source.text());
        boolean inDepth = destination.segments().size() > source.segments().size();
        return new Longest(
                inLength ? most(below, InMemoryTreeStore::codePoints) : 0,
                inDepth ? most(below, rename.namespace().notation()::depthOf) : 0);
    }

    private static int most(List<String> paths, ToIntFunction<String> measure) {
        return paths.stream().mapToInt(measure).max().orElse(0);
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    @Override
    public synchronized List<Written> move(Namespace namespace, List<Move> moves) {
        return moves.stream().map(move -> moved(namespace, move)).toList();
    }

    private Written moved(Namespace namespace, Move move) {
        Document.Ref ref = move.document().ref();
        Optional<RawJson> rewritten = PathFields.moved(namespace, move);
        if (rewritten.isEmpty()) {
            return new Written.Refused("a path field is not one string");
        }
        if (!uuids.containsKey(ref.index())) {
            return new Written.Refused("404 index_not_found_exception");
        }
        if (!holds(move.condition(), ref)) {
            return new Written.Unknown("409 version_conflict_engine_exception", true);
        }
        put(ref.index(), ref.id(), ref.routing(), rewritten.get().toString(), written(move.condition(), ref));
        return new Written.Done();
    }

    private boolean holds(Condition condition, Document.Ref ref) {
        return switch (condition) {
            case Condition.AsRead asRead -> isCurrent(ref);
            case Condition.Above above -> !above.isOlderThan(there(new Key(ref.index(), ref.id())));
        };
    }

    private long written(Condition condition, Document.Ref ref) {
        return condition instanceof Condition.Above above ? above.version() : there(new Key(ref.index(), ref.id())) + 1;
    }

    /**
     * Returns whether the stored document has the version in the reference. Returns false if the document does not
     * exist.
     */
    private boolean isCurrent(Document.Ref ref) {
        return document(ref.index(), ref.id())
                .filter(document -> document.ref().version().equals(ref.version()))
                .isPresent();
    }

    @Override
    public synchronized Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return document(ref.index(), ref.id())
                .map(document -> new Document(
                        document.ref(),
                        PathFields.path(namespace, document.source()).orElse(""),
                        document.source()));
    }

    @Override
    public synchronized List<Written> remove(List<Removal> removals) {
        return removals.stream().map(this::removed).toList();
    }

    private Written removed(Removal removal) {
        Document.Ref ref = removal.ref();
        if (!holds(removal.condition(), ref)) {
            return new Written.Unknown("409 version_conflict_engine_exception", true);
        }
        delete(new Key(ref.index(), ref.id()), written(removal.condition(), ref));
        return new Written.Done();
    }
}
