package org.treerename.examples;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.treerename.producer.TreeReader;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeChangedException;
import org.treerename.producer.reader.TreeView;

/**
 * Prints the number of documents at and below each given path, and prints the numbers again after each change. All
 * numbers of a line show the tree at one moment. If a rename moves a document from one path to another, the document is
 * counted once, even during a long rename.
 *
 * <p>Arguments: the URL of Elasticsearch, the namespace, and the paths. The program runs until it is stopped.
 */
public final class TreeWatch {

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final TreeReader trees;
    private final String namespace;
    private final List<String> paths;

    private TreeWatch(TreeReader trees, String namespace, List<String> paths) {
        this.trees = trees;
        this.namespace = namespace;
        this.paths = paths;
    }

    public static void main(String[] args) throws InterruptedException {
        try (TreeReader trees = TreeReader.connect(args[0])) {
            new TreeWatch(trees, args[1], Arrays.asList(args).subList(2, args.length)).watch();
        }
    }

    private void watch() throws InterruptedException {
        String last = "";
        while (true) {
            try {
                String line = counts();
                if (!line.equals(last)) {
                    System.out.println(line);
                    last = line;
                }
            } catch (TreeChangedException e) {
                System.err.println(e.getMessage()); // the next view may succeed
            }
            Thread.sleep(PAUSE);
        }
    }

    private String counts() {
        try (TreeView view = trees.open(namespace, "/")) {
            return paths.stream()
                    .map(path -> path + ": " + view.count(trees.path(namespace, path), Reach.AT_OR_BELOW, null))
                    .collect(Collectors.joining(", "));
        }
    }
}
