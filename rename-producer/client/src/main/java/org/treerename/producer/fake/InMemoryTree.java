package org.treerename.producer.fake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;

/** Keeps the documents of one namespace in memory: their ids and paths. Any thread may call this class. */
public final class InMemoryTree {

    private record Item(TreePath path, boolean directory) {}

    private final Namespace namespace;
    private final SortedMap<String, Item> items = new TreeMap<>();
    private long added;

    InMemoryTree(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * Adds a file under a new id.
     *
     * @throws IllegalArgumentException if the text is not a path of this namespace
     */
    public synchronized InMemoryTree addFile(String path) {
        added++;
        return add("document-" + added, path, false);
    }

    /**
     * Adds a file, or moves the file with this id.
     *
     * @throws IllegalArgumentException if the text is not a path of this namespace
     */
    public synchronized InMemoryTree addFile(String path, String id) {
        return add(id, path, false);
    }

    /**
     * Adds a directory.
     *
     * @throws IllegalArgumentException if the text is not a path of this namespace, or if the namespace does not store
     *     directories as documents
     */
    public synchronized InMemoryTree addDirectory(String path) {
        if (!namespace.directoriesAreDocuments()) {
            throw new IllegalArgumentException("directories of the namespace " + namespace.name()
                    + " are not documents; add a file below " + path + " instead");
        }
        added++;
        return add("document-" + added, path, true);
    }

    private InMemoryTree add(String id, String path, boolean directory) {
        items.put(id, new Item(namespace.notation().path(path), directory));
        return this;
    }

    /** Returns the paths of all documents, sorted as texts. */
    public synchronized List<String> paths() {
        return items.values().stream().map(item -> item.path().text()).sorted().toList();
    }

    /** Returns the path of the document with this id; empty if there is no such document. */
    public synchronized Optional<String> path(String id) {
        return Optional.ofNullable(items.get(id)).map(item -> item.path().text());
    }

    /** Reads the documents that the commit check of a rename needs, as a worker does while it holds the locks. */
    synchronized TreeSnapshot examine(Rename rename) {
        Set<TreePath> asked = new HashSet<>(rename.destination().properAncestors());
        asked.add(rename.source());
        asked.add(rename.destination());
        List<Existing> existing = new ArrayList<>();
        List<Document> own = new ArrayList<>();
        items.forEach((id, item) -> {
            if (asked.contains(item.path())) {
                existing.add(new Existing(ref(id), item.path(), item.directory()));
            }
            if (item.path().equals(rename.source())) {
                own.add(new Document(ref(id), item.path().text(), source(item.path())));
            }
        });
        List<String> below = below(rename.source());
        return new TreeSnapshot(
                existing, own, below.size(), !below(rename.destination()).isEmpty(), longest(below));
    }

    private RawJson source(TreePath path) {
        ObjectNode source = JsonNodeFactory.instance.objectNode();
        namespace.pathValues(path.text()).forEach(source::put);
        return RawJson.of(source.toString());
    }

    private Document.Ref ref(String id) {
        return new Document.Ref(namespace.index(), id, null, new Version(0, 1));
    }

    private List<String> below(TreePath path) {
        return items.values().stream()
                .filter(item -> item.path().isBelow(path))
                .map(item -> item.path().text())
                .toList();
    }

    private Longest longest(List<String> paths) {
        int points = 0;
        int segments = 0;
        for (String path : paths) {
            points = Math.max(points, path.codePointCount(0, path.length()));
            segments = Math.max(
                    segments, namespace.notation().path(path).segments().size());
        }
        return new Longest(points, segments);
    }

    /**
     * Deletes the replaced documents, and moves the documents at and below the source. Returns the number of documents
     * that have moved.
     */
    synchronized long apply(Rename rename, List<Document.Ref> removals) {
        removals.forEach(removal -> items.remove(removal.id()));
        if (rename.changesNothing()) {
            return 0;
        }
        Map<String, Item> moved = new HashMap<>();
        items.forEach((id, item) -> {
            if (item.path().equals(rename.source()) || item.path().isBelow(rename.source())) {
                String to = rename.newPath(item.path().text());
                moved.put(id, new Item(namespace.notation().path(to), item.directory()));
            }
        });
        items.putAll(moved);
        return moved.size();
    }
}
