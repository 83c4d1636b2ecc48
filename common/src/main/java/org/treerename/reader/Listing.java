package org.treerename.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.reader.Merge.Item;
import org.treerename.rename.PathFields;

/**
 * Lists the paths directly below a directory. It reads documents below the directory in their order, and where one is below a child it goes on behind
 * all that are. So the requests are as many as the children that have much below them, at most, however large the tree is.
 *
 * <p>Where documents say their directory and their name, those in the directory come first, by their names; then the directories that only documents
 * below them show. One thread calls it, once.
 */
final class Listing {

    /** Documents that are read, and children that are counted, in one request. */
    private static final int TOGETHER = 100;

    /** The part with the documents in the directory, and the part with those below it. */
    private static final int NAMED = 0;

    private static final int BELOW = 1;

    /** No path has this character. */
    private static final String LEAST = "\0";

    private final Keys keys;
    private final Notation notation;
    private final Overlay overlay;
    private final PointInTime points;
    private final TreePath directory;
    private final int depth;

    Listing(Keys keys, Overlay overlay, PointInTime points, TreePath directory) {
        this.keys = keys;
        this.notation = keys.namespace().notation();
        this.overlay = overlay;
        this.points = points;
        this.directory = directory;
        this.depth = notation.depthOf(directory.text()) + 1;
    }

    /** A child as the first document at or below it shows it. */
    private record Met(String path, boolean isAtIt, boolean isDeeper, boolean isDirectory) {}

    /** Returns what is behind every path at or below one. */
    static String behind(Notation notation, String path) {
        String prefix = path + notation.separator();
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    Page<Child> page(Position begin, int most) {
        List<Child> children = new ArrayList<>();
        Position at = begin;
        while (at != null && children.size() < most) {
            Met last = null;
            List<Met> met = new ArrayList<>();
            Merge merge = merge(at);
            int wanted = Math.min(TOGETHER, most - children.size());
            Optional<Item> next = merge.peek();
            while (next.isPresent() && (met.size() < wanted || isOf(next.get(), met.getLast()))) {
                Met child = met(merge, at.phase());
                last = met.isEmpty() ? null : met.getLast();
                if (last != null && last.path().equals(child.path())) {
                    met.removeLast();
                    child = new Met(
                            child.path(),
                            last.isAtIt() || child.isAtIt(),
                            last.isDeeper() && child.isDeeper(),
                            last.isDirectory() || child.isDirectory());
                }
                met.add(child);
                next = merge.peek();
            }
            children.addAll(counted(met));
            at = next.isPresent() ? merge.position() : afterLast(at);
        }
        return new Page<>(children, at);
    }

    /** Whether a document is another one at the path of the child that was met last. */
    private boolean isOf(Item item, Met last) {
        return last.isAtIt() && item.path().equals(last.path());
    }

    private @Nullable Position afterLast(Position at) {
        return keys.byDirectory() && at.phase() == NAMED ? new Position(0, List.of(), null, BELOW) : null;
    }

    private Merge merge(Position at) {
        boolean isNamed = keys.byDirectory() && at.phase() == NAMED;
        Namespace namespace = keys.namespace();
        List<String> fields = Stream.concat(
                        namespace.fields().saying().stream(),
                        namespace.directoryDocuments().map(Namespace.Directories::field).stream())
                .toList();
        Merge merge = new Merge(
                points,
                keys,
                overlay.regions(directory, isNamed ? Reach.DIRECTLY_BELOW : Reach.BELOW),
                new Merge.Question(null, fields, TOGETHER),
                at);
        boolean begins = at.from() == null;
        if (keys.byDirectory() && !isNamed && begins) {
            merge.seek(directory.prefixOfBelow() + LEAST);
        }
        return merge;
    }

    /** Takes the next document, and goes on behind what shows the same child. */
    private Met met(Merge merge, int phase) {
        Item item = merge.next().orElseThrow();
        boolean isNamed = keys.byDirectory() && phase == NAMED;
        String shown = keys.byDirectory() && !isNamed ? item.key().getFirst() : item.path();
        String child = notation.firstOf(shown, depth);
        boolean isAtIt = isNamed || (!keys.byDirectory() && shown.equals(child));
        if (!isAtIt) {
            merge.seek(shown.equals(child) ? child + LEAST : behind(notation, child));
        }
        return new Met(child, isAtIt, !shown.equals(child), isAtIt && isDirectory(item));
    }

    private boolean isDirectory(Item item) {
        return keys.namespace()
                .directoryDocuments()
                .filter(directories -> PathFields.text(item.document().source(), directories.field())
                        .filter(directories.value()::equals)
                        .isPresent())
                .isPresent();
    }

    /** Counts, and leaves out the children that another document has shown before. */
    private List<Child> counted(List<Met> met) {
        List<List<Region>> groups = new ArrayList<>();
        for (Met child : met) {
            boolean isPath = notation.problem(child.path()).isEmpty();
            Optional<TreePath> path = isPath ? Optional.of(notation.path(child.path())) : Optional.empty();
            for (Reach reach : List.of(Reach.EXACTLY, Reach.BELOW, Reach.DIRECTLY_BELOW)) {
                boolean isCounted = reach != Reach.DIRECTLY_BELOW || keys.byDirectory();
                groups.add(
                        isCounted ? path.map(at -> overlay.regions(at, reach)).orElse(List.of()) : List.of());
            }
        }
        List<Long> counts = met.isEmpty() ? List.of() : points.count(groups, null);
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < met.size(); i++) {
            Met child = met.get(i);
            long at = counts.get(3 * i);
            long below = counts.get(3 * i + 1);
            boolean wasShown = !child.isAtIt() && (at > 0 || (child.isDeeper() && counts.get(3 * i + 2) > 0));
            if (!wasShown) {
                children.add(new Child(child.path(), at, below, below > 0 || child.isDirectory()));
            }
        }
        return children;
    }
}
