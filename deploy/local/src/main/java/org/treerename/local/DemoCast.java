package org.treerename.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.treerename.checker.TreeModel;
import org.treerename.path.Path;

/**
 * Who plays in the demo.
 *
 * @param great the smallest directory with enough documents below it
 * @param file one file deep inside it
 * @param chain a directory of middle size, for the chain of renames
 * @param child one entry of it
 */
record DemoCast(Path great, Path file, Path chain, Path child) {

    private static final long MIDDLE = 2_000;

    static DemoCast of(TreeModel tree) {
        List<Path> directories = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        tree.forEach((path, document) -> (document.directory() ? directories : files).add(new Path(path)));
        Path great = directories.stream()
                .filter(path -> size(tree, path) > DemoInput.GREAT)
                .min(Comparator.<Path>comparingLong(path -> size(tree, path)).thenComparing(path -> path))
                .orElseThrow(() -> new IllegalStateException(
                        "no directory of the tree has more than " + DemoInput.GREAT + " documents below it"));
        Path file = files.stream()
                .filter(path -> path.isBelow(great))
                .min(Comparator.<Path>comparingInt(
                                path -> path.parent().parent().isBelow(great) ? 0 : 1)
                        .thenComparing(path -> path))
                .orElseThrow(() -> new IllegalStateException("there is no file below " + great));
        Path chain = directories.stream()
                .filter(path -> !great.isAtOrBelow(path))
                .filter(path -> size(tree, path) > 1 && size(tree, path) <= MIDDLE)
                .max(Comparator.<Path>comparingLong(path -> size(tree, path)).thenComparing(path -> path))
                .orElse(great);
        return new DemoCast(
                great,
                file,
                chain,
                childOf(chain, directories).or(() -> childOf(chain, files)).orElseThrow());
    }

    private static Optional<Path> childOf(Path directory, List<Path> candidates) {
        return candidates.stream()
                .filter(path -> path.parent().equals(directory))
                .min(Comparator.naturalOrder());
    }

    private static long size(TreeModel tree, Path path) {
        return tree.documentsAtOrBelow(path.text());
    }
}
