package org.treerename.checker;

import java.util.Optional;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/** From where to where a rename leads. */
record Way(TreePath source, TreePath destination) {

    /** Empty where the request names no two paths. */
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

    /** Whether it moves what stands at this path. */
    boolean covers(String path) {
        return !changesNothing() && (path.equals(source.text()) || path.startsWith(source.prefixOfBelow()));
    }

    /** Where what stands at a covered path goes. */
    String image(String path) {
        return destination.isRoot() && !path.equals(source.text())
                ? path.substring(source.text().length())
                : destination.text() + path.substring(source.text().length());
    }

    /** Whether their order can make a difference, which is also whether their locks exclude each other. */
    boolean overlaps(Way other) {
        return touches(other.source.text()) || touches(other.destination.text());
    }

    /** Whether something at, above or below this path can make a difference to it. */
    boolean touches(String path) {
        return hangTogether(source, path) || hangTogether(destination, path);
    }

    private static boolean hangTogether(TreePath end, String path) {
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
