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
 * Which directory of this machine the demo takes, and how much of it.
 *
 * @param places where it is to stand in the tree; several copies where it is small
 * @param limit how many entries are taken at most
 * @param counted how many entries it has, as far as was counted
 */
record DemoInput(java.nio.file.Path folder, List<TreePath> places, long limit, long counted) {

    /** Documents below the directory of the great rename, at least. */
    static final long GREAT = 10_000;

    /** What is taken at most, so that the demo takes minutes. */
    static final long MOST = 25_000;

    private static final long WANTED = 20_000;
    private static final long COUNTED = 200_000;
    private static final long MOST_COPIES = 500;
    private static final List<String> USUAL = List.of("/usr/share", "/usr/lib", "/usr");

    /** A directory that people gave, or one that every Linux machine has. */
    static DemoInput of(java.nio.file.@Nullable Path given) throws IOException {
        if (given == null) {
            return usual();
        }
        if (!Files.isDirectory(given)) {
            throw new IllegalArgumentException(given + " is not a directory");
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
                "none of " + USUAL + " is a directory here: name one, as in deploy/local/demo DIR"));
    }

    private static DemoInput counted(java.nio.file.Path folder) {
        TreePath place = place(folder);
        long count = Walk.over(folder, place, COUNTED, found -> {}).documents();
        if (count > GREAT) {
            return new DemoInput(folder, List.of(place), MOST, count);
        }
        long copies = count == 0 ? Long.MAX_VALUE : GREAT / count + 1;
        if (copies > MOST_COPIES) {
            throw new IllegalArgumentException(
                    folder + " has " + count + " entries; the demo needs " + GREAT / MOST_COPIES + " at least");
        }
        List<TreePath> places = Stream.iterate(1, copy -> copy <= copies, copy -> copy + 1)
                .map(copy -> place.child("copy-" + copy))
                .toList();
        return new DemoInput(folder, places, MOST, count);
    }

    /** Its own path on this machine, where that is one of the tree's, too, and not the root. */
    private static TreePath place(java.nio.file.Path folder) {
        String text = folder.toString();
        boolean usable = TreePath.problem(text).isEmpty() && !text.equals("/");
        return usable ? new TreePath(text) : new TreePath("/demo");
    }
}
