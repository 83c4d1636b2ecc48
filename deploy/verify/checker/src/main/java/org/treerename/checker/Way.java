package org.treerename.checker;

import java.util.Optional;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/** The source and the destination of a rename. */
record Way(TreePath source, TreePath destination) {

    /** Returns the paths of an entry; empty if the entry does not have two valid paths. */
    static Optional<Way> of(JournalDump.Entry entry, Notation notation) {
        String source = entry.source();
        String destination = entry.destination();
        return source == null
                        || destination == null
                        || notation.problem(source).isPresent()
                        || notation.problem(destination).isPresent()
                ? Optional.empty()
                : Optional.of(new Way(notation.path(source), notation.path(destination)));
    }

    boolean changesNothing() {
        return source.equals(destination);
    }

    /** Returns whether the rename moves a document at this path: the path is at or below the source. */
    boolean covers(String path) {
        return !changesNothing() && (path.equals(source.text()) || path.startsWith(source.prefixOfBelow()));
    }

    /** Returns the new path of a document at or below the source. */
    String image(String path) {
        return destination.isRoot() && !path.equals(source.text())
                ? path.substring(source.text().length())
                : destination.text() + path.substring(source.text().length());
    }

    /**
     * Returns whether the order of the two renames can matter. The order can matter if and only if the locks of the
     * renames conflict.
     */
    boolean overlaps(Way other) {
        return overlaps(other.source.text()) || overlaps(other.destination.text());
    }

    /**
     * Returns whether a document at this path can affect the rename. This is the case if the path is equal to, above or
     * below the source or the destination.
     */
    boolean overlaps(String path) {
        return overlap(source, path) || overlap(destination, path);
    }

    private static boolean overlap(TreePath end, String path) {
        return path.equals(end.text())
                || path.startsWith(end.prefixOfBelow())
                || end.text().startsWith(prefixOfBelow(end.notation(), path));
    }

    private static String prefixOfBelow(Notation notation, String path) {
        return path.equals(notation.root().text()) ? path : path + notation.separator();
    }

    @Override
    public String toString() {
        return source + " to " + destination;
    }
}
