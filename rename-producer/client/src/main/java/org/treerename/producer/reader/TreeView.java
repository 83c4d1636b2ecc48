package org.treerename.producer.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Merge.Item;
import org.treerename.tree.Condition;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore.Move;

/**
 * A view of a tree at one moment, at and below one path. The view shows the tree as if every rename that was committed
 * before this moment had moved all its documents. All answers and all pages show the same moment. Only one thread calls
 * this class.
 */
public final class TreeView implements AutoCloseable {

    /** The largest number of documents in one page. */
    public static final int LARGEST_PAGE = 1_000;

    private final Namespace namespace;
    private final TreePath path;
    private final Overlay overlay;
    private final PointInTime points;
    private final boolean isConsistent;
    private final Keys keys;

    TreeView(Namespace namespace, TreePath path, Overlay overlay, PointInTime points, boolean isConsistent) {
        this.namespace = namespace;
        this.path = path;
        this.overlay = overlay;
        this.points = points;
        this.isConsistent = isConsistent;
        this.keys = new Keys(namespace);
    }

    /**
     * Returns whether all answers show the same state of the tree. Returns false only if the caller has allowed an
     * inconsistent view.
     */
    public boolean isConsistent() {
        return isConsistent;
    }

    /**
     * Returns the documents that match a query and are in reach of a path. The documents are ordered by the code points
     * of their paths. If the path field contains the directory, the documents are ordered by directory and name.
     *
     * @param query an Elasticsearch query in JSON; null for all documents. The query is compared with the stored
     *     documents, so the query should not contain path fields
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of documents, 1 to {@value #LARGEST_PAGE}
     */
    public Page<TreeEntry> find(TreePath at, Reach reach, @Nullable RawJson query, @Nullable Position after, int most) {
        requireInside(at);
        requirePage(most);
        boolean isSkipping = reach == Reach.DIRECTLY_BELOW && !keys.byDirectory();
        List<Region> regions = overlay.regions(at, isSkipping ? Reach.BELOW : reach);
        points.expect(regions.size());
        Merge merge = new Merge(
                points,
                keys,
                regions,
                new Merge.Question(
                        query, List.of(),
                        most + 1), // request one more document, which shows whether another page follows
                after == null ? Position.BEGIN : after);
        List<TreeEntry> found = new ArrayList<>();
        while (found.size() < most) {
            Optional<Item> next = merge.next();
            if (next.isEmpty()) {
                return new Page<>(found, null);
            }
            if (isSkipping && !child(next.get(), at).equals(next.get().path())) {
                merge.seek(Listing.behind(namespace.notation(), child(next.get(), at)));
            } else {
                found.add(entry(next.get()));
            }
        }
        return new Page<>(found, merge.peek().isPresent() ? merge.position() : null);
    }

    private String child(Item item, TreePath directory) {
        return namespace.notation().firstOf(item.path(), namespace.notation().depthOf(directory.text()) + 1);
    }

    /**
     * Returns the paths directly below a directory. The result includes a path even if all its documents are below the
     * path. The paths are ordered by the first document at or below each path. For example, {@code /a-b} comes before
     * {@code /a} if no document is at {@code /a}.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of paths, 1 to {@value #LARGEST_PAGE}
     */
    public Page<Child> list(TreePath directory, @Nullable Position after, int most) {
        requireInside(directory);
        requirePage(most);
        return new Listing(keys, overlay, points, directory).page(after == null ? Position.BEGIN : after, most);
    }

    /** Counts the documents that match a query and are in reach of a path. A null query matches all documents. */
    public long count(TreePath at, Reach reach, @Nullable RawJson query) {
        requireInside(at);
        if (reach == Reach.DIRECTLY_BELOW && !keys.byDirectory()) {
            throw new IllegalArgumentException("documents of " + namespace.name()
                    + " have no field with their directory, so the documents directly below a path cannot be counted;"
                    + " list them instead");
        }
        return points.count(List.of(overlay.regions(at, reach)), query).getFirst();
    }

    /** Returns the state that another process needs to continue this view. */
    public SavedView saved() {
        return new SavedView(namespace.name(), path.text(), points.id(), isConsistent, renames());
    }

    /** Returns the renames that this view shows as done although some of their documents may not have moved. */
    List<CommittedRename> renames() {
        return overlay.renames();
    }

    private TreeEntry entry(Item item) {
        RawJson source = item.document().source();
        CommittedRename moved = item.region().moved();
        if (moved != null) {
            Move move = new Move(item.document(), item.path(), moved::followed, new Condition.AsRead());
            source = PathFields.moved(namespace, move).orElse(source);
        }
        return new TreeEntry(
                item.path(),
                item.document().ref().index(),
                item.document().ref().id(),
                item.document().ref().routing(),
                source);
    }

    private void requireInside(TreePath at) {
        if (!at.isAtOrBelow(path)) {
            throw new IllegalArgumentException("expected a path at or below " + path
                    + ", because the view shows only this part of the tree; found " + at);
        }
    }

    private static void requirePage(int most) {
        if (most < 1 || most > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page must have 1 to " + LARGEST_PAGE + " entries, found " + most);
        }
    }

    /** Closes the point in time. The saved state of the view ({@link #saved}) cannot be used after the close. */
    @Override
    public void close() {
        points.close();
    }
}
