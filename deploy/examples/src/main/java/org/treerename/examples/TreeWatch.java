package org.treerename.examples;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.treerename.producer.TreeReader;
import org.treerename.reader.Reach;
import org.treerename.reader.TreeChangedException;
import org.treerename.reader.TreeView;

/**
 * Prints how many documents are at and below some paths, and prints it again whenever that changes. All counts of a line are of one moment: a document
 * that a rename moves from one path to another is counted once, however long the move takes.
 *
 * <p>Its arguments: the URL of Elasticsearch, the namespace, for how many seconds it watches, and the paths.
 */
public final class TreeWatch {

    private static final Duration REST = Duration.ofMillis(20);

    private TreeWatch() {}

    public static void main(String[] args) throws InterruptedException {
        String namespace = args[1];
        Duration length = Duration.ofSeconds(Long.parseLong(args[2]));
        List<String> paths = Arrays.asList(args).subList(3, args.length);
        long begun = System.nanoTime();
        try (TreeReader trees = TreeReader.connect(args[0])) {
            String last = "";
            while (System.nanoTime() - begun < length.toNanos()) {
                String line = counts(trees, namespace, paths, last);
                if (!line.equals(last)) {
                    System.out.println(line);
                    last = line;
                }
                Thread.sleep(REST);
            }
        }
    }

    /** Counts by one view. Where renames end so fast that none is found, the answer stays as it was. */
    private static String counts(TreeReader trees, String namespace, List<String> paths, String last) {
        try (TreeView view = trees.open(namespace, "/")) {
            return paths.stream()
                    .map(path -> path + ": " + view.count(trees.path(namespace, path), Reach.AT_OR_BELOW, null))
                    .collect(Collectors.joining(", "));
        } catch (TreeChangedException e) {
            return last;
        }
    }
}
