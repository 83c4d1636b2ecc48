package org.treerename.producer.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Merge.Item;
import org.treerename.tree.PathFields;

/**
 * Lists the paths directly below a directory. Reads the documents below the directory in the order of their keys. When
 * the listing has read one document below a child of the directory, it skips all further documents below this child. So
 * the number of requests does not depend on the size of the tree. Each child with many documents below it needs about
 * one request.
 *
 * <p>If the path field contains the directory, the listing has two phases. The first phase lists the documents in the
 * directory, by name. The second phase lists the directories that have no document of their own. One thread uses each
 * instance, for one page.
 */
final class Listing {

    /** The number of documents that one request reads, and of children whose documents one request counts. */
    private static final int TOGETHER = 100;

    /** The phase that lists the documents in the directory. */
    private static final int NAMED = 0;

    /** The phase that lists the directories that have no document of their own. */
    private static final int BELOW = 1;

    /** A character that is less than every other character. No path contains this character. */
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

    /** A child of the directory. The values come from the documents that were read at or below the child. */
    private record FoundChild(String path, boolean isAtIt, boolean isDeeper, boolean isDirectory) {}

    /** Returns a text that is greater than every path at or below a path. */
    static String behind(Notation notation, String path) {
        String prefix = path + notation.separator();
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    Page<Child> page(Position begin, int most) {
        List<Child> children = new ArrayList<>();
        Position at = begin;
        while (at != null && children.size() < most) {
            FoundChild last = null;
            List<FoundChild> found = new ArrayList<>();
            Merge merge = merge(at);
            int wanted = Math.min(TOGETHER, most - children.size());
            Optional<Item> next = merge.peek();
            while (next.isPresent() && (found.size() < wanted || isOf(next.get(), found.getLast()))) {
                FoundChild child = nextChild(merge, at.phase());
                last = found.isEmpty() ? null : found.getLast();
                if (last != null && last.path().equals(child.path())) {
                    found.removeLast();
                    child = new FoundChild(
                            child.path(),
                            last.isAtIt() || child.isAtIt(),
                            last.isDeeper() && child.isDeeper(),
                            last.isDirectory() || child.isDirectory());
                }
                found.add(child);
                next = merge.peek();
            }
            children.addAll(counted(found));
            at = next.isPresent() ? merge.position() : afterLast(at);
        }
        return new Page<>(children, at);
    }

    /** Several documents can have the same path. */
    private boolean isOf(Item item, FoundChild last) {
        return last.isAtIt() && item.path().equals(last.path());
    }

    private @Nullable Position afterLast(Position at) {
        return keys.byDirectory() && at.phase() == NAMED ? new Position(0, List.of(), null, BELOW) : null;
    }

    private Merge merge(Position at) {
        boolean isNamed = keys.byDirectory() && at.phase() == NAMED;
        Namespace namespace = keys.namespace();
        List<String> fields = Stream.concat(
                        namespace.fields().pathFields().stream(),
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

    /** Returns the child at or above the next document. Skips the further documents below this child. */
    private FoundChild nextChild(Merge merge, int phase) {
        Item item = merge.next().orElseThrow();
        boolean isNamed = keys.byDirectory() && phase == NAMED;
        String shown = keys.byDirectory() && !isNamed ? item.key().getFirst() : item.path();
        String child = notation.firstOf(shown, depth);
        boolean isAtIt = isNamed || (!keys.byDirectory() && shown.equals(child));
        if (!isAtIt) {
            merge.seek(shown.equals(child) ? child + LEAST : behind(notation, child));
        }
        return new FoundChild(child, isAtIt, !shown.equals(child), isAtIt && isDirectory(item));
    }

    private boolean isDirectory(Item item) {
        return keys.namespace()
                .directoryDocuments()
                .filter(directories -> PathFields.text(item.document().source(), directories.field())
                        .filter(directories.value()::equals)
                        .isPresent())
                .isPresent();
    }

    /** Leaves out each child that an earlier document has already added to the list. */
    private List<Child> counted(List<FoundChild> found) {
        List<List<Region>> groups = new ArrayList<>();
        for (FoundChild child : found) {
            boolean isPath = notation.problem(child.path()).isEmpty();
            Optional<TreePath> path = isPath ? Optional.of(notation.path(child.path())) : Optional.empty();
            for (Reach reach : List.of(Reach.EXACTLY, Reach.BELOW, Reach.DIRECTLY_BELOW)) {
                boolean isCounted = reach != Reach.DIRECTLY_BELOW || keys.byDirectory();
                groups.add(
                        isCounted ? path.map(at -> overlay.regions(at, reach)).orElse(List.of()) : List.of());
            }
        }
        List<Long> counts = found.isEmpty() ? List.of() : points.count(groups, null);
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            FoundChild child = found.get(i);
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
