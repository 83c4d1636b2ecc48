package org.treerename.checker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.treerename.namespace.Namespace;

/** Factory methods for small trees, dumps and renames. */
final class Trees {

    static final Namespace FILES = Namespace.ofFiles("files", "files");

    private Trees() {}

    static TreeDocument directory(String id) {
        return new TreeDocument(id, true, "digest of " + id, null);
    }

    static TreeDocument file(String id) {
        return new TreeDocument(id, false, "digest of " + id, null);
    }

    /**
     * Returns a document whose fields {@code parent} and {@code name} match the path. A path that ends with a slash is
     * the path of a directory.
     */
    static TreeDump.StoredDocument stored(String path) {
        return path.endsWith("/")
                ? stored(directory("id of " + path), path.substring(0, path.length() - 1))
                : stored(file("id of " + path), path);
    }

    static TreeDump.StoredDocument stored(TreeDocument document, String path) {
        int end = path.lastIndexOf('/');
        return new TreeDump.StoredDocument(
                document, path, end == 0 ? "/" : path.substring(0, end), path.substring(end + 1), 0);
    }

    static TreeDump dump(String... paths) {
        return new TreeDump(FILES, List.of(paths).stream().map(Trees::stored).toList());
    }

    static TreeModel model(String... paths) {
        return TreeModel.of(dump(paths));
    }

    /** Returns a dump that contains the documents of a model. */
    static TreeDump dump(TreeModel model) {
        List<TreeDump.StoredDocument> stored = new ArrayList<>();
        model.forEach((path, document) -> stored.add(stored(document, path)));
        return new TreeDump(FILES, stored);
    }

    static List<String> paths(TreeModel model) {
        List<String> paths = new ArrayList<>();
        model.forEach((path, document) -> paths.add(path));
        return paths.stream().sorted().toList();
    }

    /** Returns a rename with the times of its commit and its end in epoch seconds. */
    static CompletedRename rename(String id, String source, String destination, long committed, long finished) {
        return new CompletedRename(
                id, source, destination, false, Instant.ofEpochSecond(committed), Instant.ofEpochSecond(finished));
    }
}
