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
 * Stores the files that clients rename back and forth within their directories. The files are in random order, so two
 * consecutive files are usually in different directories. Only one client at a time uses a file. So no rename waits for
 * another rename of the same file. Any thread may call this class.
 */
final class FilePool {

    /** The largest number of files that one search returns. */
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

    /** A file with its current path. */
    record File(String id, String path) {

        private static final String SUFFIX = "-renamed";

        /** Returns the destination of the next rename. */
        String otherPath() {
            return path.endsWith(SUFFIX) ? path.substring(0, path.length() - SUFFIX.length()) : path + SUFFIX;
        }

        String directory() {
            return path.substring(0, path.lastIndexOf('/'));
        }

        File renamed() {
            return new File(id, otherPath());
        }

        /** Returns the body of the update that renames the file. */
        String update() {
            String to = otherPath();
            return "{\"doc\":{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\"}}"
                    .formatted(to, directory(), to.substring(to.lastIndexOf('/') + 1));
        }
    }

    /**
     * Creates {@code tops} top-level directories. Each top-level directory contains one directory with about {@code
     * files} files.
     */
    static FilePool create(Es es, Tree tree, int tops, int files) {
        for (int top = 0; top < tops; top++) {
            tree.directories("/top-" + top).fill("/top-" + top + "/files", files + 1);
        }
        tree.settle();
        return new FilePool(es, tree, "/top-");
    }

    /** Creates one directory with about {@code files} files. */
    static FilePool createHot(Es es, Tree tree, String directory, int files) {
        tree.fill(directory, files + 1);
        tree.settle();
        return new FilePool(es, tree, directory + "/");
    }

    /** Returns all files that a search finds below the directories of this pool. */
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

    /** Checks that each file is at the expected path. Before this call, all clients must put their files back. */
    void requireInPlace() {
        es.post(tree.name() + "/_refresh", "").orThrow();
        Set<File> found = new HashSet<>(found());
        Set<File> expected = new HashSet<>(free);
        if (!found.equals(expected)) {
            expected.removeAll(found);
            throw new IllegalStateException("expected " + size + " files whose paths begin with " + prefix + ", found "
                    + found.size() + "; files that are not at their expected paths: " + expected);
        }
    }

    /** Returns a client that renames files one after the other with tree rename. */
    Client askedOf(Engine engine) {
        return over -> {
            File file = take();
            engine.rename(tree.name(), file.path(), file.otherPath());
            putBack(file.renamed());
            return 1;
        };
    }

    int size() {
        return size;
    }

    /** Removes and returns the file that has been in the pool for the longest time. */
    File take() {
        File file = free.poll();
        if (file == null) {
            throw new IllegalStateException(
                    "expected fewer clients than files, but all " + size + " files are being renamed");
        }
        return file;
    }

    /** Puts a file back into the pool, with its new path. */
    void putBack(File file) {
        free.add(file);
    }
}
