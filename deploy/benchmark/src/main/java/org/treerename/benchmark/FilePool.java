package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.treerename.benchmark.Clients.Client;

/**
 * Files that are renamed back and forth within their directories, mixed, so that neighbours in the pool are none in the tree.
 * Each is with one client at a time, so that renames never wait for the same file. Any thread may take one and give it back.
 */
final class FilePool {

    /** As many as one search returns. */
    private static final int PAGE = 10_000;

    private static final String SEARCH = """
            {"size": %d, "_source": ["path"], "sort": ["path"], "track_total_hits": false %s,
             "query": {"bool": {"filter": [{"term": {"type": "file"}}, {"prefix": {"path": "%s"}}]}}}""";

    private final Es es;
    private final Tree tree;
    private final String prefix;
    private final Queue<File> free;
    private final int size;

    private FilePool(Es es, Tree tree, String prefix) {
        this.es = es;
        this.tree = tree;
        this.prefix = prefix;
        List<File> files = found();
        Collections.shuffle(files, new Random(files.size()));
        this.free = new ConcurrentLinkedQueue<>(files);
        this.size = files.size();
    }

    /** One of them, where it stands now. */
    record File(String id, String path) {

        private static final String SUFFIX = "-renamed";

        /** Where it goes next. */
        String otherPath() {
            return path.endsWith(SUFFIX) ? path.substring(0, path.length() - SUFFIX.length()) : path + SUFFIX;
        }

        String directory() {
            return path.substring(0, path.lastIndexOf('/'));
        }

        File renamed() {
            return new File(id, otherPath());
        }

        /** The body of the update that renames it. */
        String update() {
            String to = otherPath();
            return "{\"doc\":{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\"}}"
                    .formatted(to, directory(), to.substring(to.lastIndexOf('/') + 1));
        }
    }

    /** Makes top-level directories in a tree, each with about so many files below a directory in it. */
    static FilePool create(Es es, Tree tree, int tops, int files) {
        for (int top = 0; top < tops; top++) {
            tree.directories("/top-" + top).fill("/top-" + top + "/files", files + 1);
        }
        tree.settle();
        return new FilePool(es, tree, "/top-");
    }

    /** Makes one directory with about so many files below it. */
    static FilePool createHot(Es es, Tree tree, String directory, int files) {
        tree.fill(directory, files + 1);
        tree.settle();
        return new FilePool(es, tree, directory + "/");
    }

    /** All files whose paths begin so, as searches find them. */
    private List<File> found() {
        List<File> files = new ArrayList<>();
        String after = "";
        int before = -1;
        while (files.size() > before) {
            before = files.size();
            JsonNode page = es.post(tree.name() + "/_search", SEARCH.formatted(PAGE, after, prefix))
                    .json();
            for (JsonNode hit : page.path("hits").path("hits")) {
                files.add(new File(
                        hit.path("_id").asText(),
                        hit.path("_source").path("path").asText()));
                after = ", \"search_after\": " + hit.path("sort");
            }
        }
        return files;
    }

    /** Whoever played last has renamed every file of his, and none that was not his; all were given back. */
    void requireInPlace() {
        es.post(tree.name() + "/_refresh", "").orThrow();
        Set<File> found = new HashSet<>(found());
        Set<File> expected = new HashSet<>(free);
        if (!found.equals(expected)) {
            expected.removeAll(found);
            throw new IllegalStateException("expected " + size + " files below " + prefix + ", found " + found.size()
                    + "; not in their places: " + expected);
        }
    }

    /** A client that has this engine rename one after the other. */
    Client askedOf(Engine engine) {
        return over -> {
            File file = take();
            engine.rename(tree.name(), file.path(), file.otherPath());
            giveBack(file.renamed());
            return 1;
        };
    }

    int size() {
        return size;
    }

    /** The one that has rested longest. */
    File take() {
        File file = free.poll();
        if (file == null) {
            throw new IllegalStateException("all " + size + " files are being renamed; there are too many clients");
        }
        return file;
    }

    /** Where it stands now. */
    void giveBack(File file) {
        free.add(file);
    }
}
