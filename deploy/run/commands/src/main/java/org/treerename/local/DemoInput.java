package org.treerename.local;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * The directory of this machine that the demo indexes, and the number of its entries.
 *
 * @param places the paths of the directory in the tree; a small directory is indexed at several paths
 * @param limit the largest number of entries that are indexed
 * @param counted the number of entries of the directory; the count ends at 200000
 */
record DemoInput(java.nio.file.Path folder, List<TreePath> places, long limit, long counted) {

    /** The directory of the large rename has more documents than this number. */
    static final long GREAT = 10_000;

    /** The largest number of indexed entries. With more entries, the demo would take too long. */
    static final long MOST = 25_000;

    private static final long WANTED = 20_000;
    private static final long COUNTED = 200_000;
    private static final long MOST_COPIES = 500;
    private static final List<String> USUAL = List.of("/usr/share", "/usr/lib", "/usr");

    /** Returns the given directory. If none is given, returns {@code /usr/share}, {@code /usr/lib} or {@code /usr}. */
    static DemoInput of(java.nio.file.@Nullable Path given) throws IOException {
        if (given == null) {
            return usual();
        }
        if (!Files.isDirectory(given)) {
            throw new IllegalArgumentException("DIR must be a directory, was " + given);
        }
        return counted(given.toRealPath());
    }

    private static DemoInput usual() throws IOException {
        List<DemoInput> candidates = new ArrayList<>();
        for (String name : USUAL) {
            java.nio.file.Path folder = java.nio.file.Path.of(name);
            if (Files.isDirectory(folder)) {
                DemoInput input = counted(folder.toRealPath());
                if (input.counted >= WANTED) {
                    return input;
                }
                candidates.add(input);
            }
        }
        Optional<DemoInput> largest = candidates.stream().max(Comparator.comparingLong(DemoInput::counted));
        return largest.orElseThrow(() -> new IllegalArgumentException(
                "expected one of the directories " + USUAL + ", found none; pass another directory as DIR"));
    }

    private static DemoInput counted(java.nio.file.Path folder) {
        TreePath place = place(folder);
        long count = Walk.over(folder, place, COUNTED, found -> {}).documents();
        if (count > GREAT) {
            return new DemoInput(folder, List.of(place), MOST, count);
        }
        long copies = count == 0 ? Long.MAX_VALUE : GREAT / count + 1;
        if (copies > MOST_COPIES) {
            throw new IllegalArgumentException("DIR must have at least " + GREAT / MOST_COPIES + " entries, but "
                    + folder + " has " + count + "; choose a larger directory");
        }
        List<TreePath> places = Stream.iterate(1, copy -> copy <= copies, copy -> copy + 1)
                .map(copy -> place.child("copy-" + copy))
                .toList();
        return new DemoInput(folder, places, MOST, count);
    }

    /**
     * Returns the path at which the demo indexes the folder: the path of the folder on this machine. Returns {@code
     * /demo} if the folder is the root, or if its path is not valid in a tree.
     */
    private static TreePath place(java.nio.file.Path folder) {
        String text = folder.toString();
        boolean usable = TreePath.problem(text).isEmpty() && !text.equals("/");
        return usable ? new TreePath(text) : new TreePath("/demo");
    }
}
