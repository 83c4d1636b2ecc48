package org.treerename.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.treerename.checker.TreeModel;
import org.treerename.path.TreePath;

/**
 * The directories and files that the demo renames.
 *
 * @param great the smallest directory with more than {@link DemoInput#GREAT} documents
 * @param file a file deep inside {@code great}
 * @param chain a directory of medium size, for renames that depend on each other
 * @param child a child of {@code chain}
 */
record DemoCast(TreePath great, TreePath file, TreePath chain, TreePath child) {

    private static final long MIDDLE = 2_000;

    static DemoCast of(TreeModel tree) {
        List<TreePath> directories = new ArrayList<>();
        List<TreePath> files = new ArrayList<>();
        tree.forEach((path, document) -> (document.directory() ? directories : files).add(new TreePath(path)));
        TreePath great = directories.stream()
                .filter(path -> size(tree, path) > DemoInput.GREAT)
                .min(Comparator.<TreePath>comparingLong(path -> size(tree, path))
                        .thenComparing(path -> path))
                .orElseThrow(() -> new IllegalStateException("expected a directory with more than " + DemoInput.GREAT
                        + " documents below it, found none; choose another DIR"));
        TreePath file = files.stream()
                .filter(path -> path.isBelow(great))
                .min(Comparator.<TreePath>comparingInt(
                                path -> path.parent().parent().isBelow(great) ? 0 : 1)
                        .thenComparing(path -> path))
                .orElseThrow(() -> new IllegalStateException("expected a file below " + great + ", found none"));
        TreePath chain = directories.stream()
                .filter(path -> !great.isAtOrBelow(path))
                .filter(path -> size(tree, path) > 1 && size(tree, path) <= MIDDLE)
                .max(Comparator.<TreePath>comparingLong(path -> size(tree, path))
                        .thenComparing(path -> path))
                .orElse(great);
        return new DemoCast(
                great,
                file,
                chain,
                childOf(chain, directories).or(() -> childOf(chain, files)).orElseThrow());
    }

    private static Optional<TreePath> childOf(TreePath directory, List<TreePath> candidates) {
        return candidates.stream()
                .filter(path -> path.parent().equals(directory))
                .min(Comparator.naturalOrder());
    }

    private static long size(TreeModel tree, TreePath path) {
        return tree.documentsAtOrBelow(path.text());
    }
}
