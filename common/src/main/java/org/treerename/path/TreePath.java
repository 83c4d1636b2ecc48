package org.treerename.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An absolute path in a namespace, written as the namespace's notation says: {@code /a/b}, {@code a.b}.
 *
 * <p>Two paths are the same if their code points are: nothing is normalised, so NFC and NFD spellings of a name are
 * different names. Every character but NUL may stand in a segment, a newline too, and the separator where the notation
 * quotes. Paths of two notations are of two namespaces, and never compared.
 */
public record TreePath(String text, Notation notation) implements Comparable<TreePath> {

    public static final int MAX_CODE_POINTS = 4_096;
    public static final int MAX_SEGMENTS = 1_000;

    /** In the notation with slashes. */
    public static final TreePath ROOT = Notation.SLASHES.root();

    public TreePath {
        notation.problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** One in the notation with slashes. */
    public TreePath(String text) {
        this(text, Notation.SLASHES);
    }

    /** What keeps a text from being a path in the notation with slashes; empty if it is one. */
    public static Optional<String> problem(String text) {
        return Notation.SLASHES.problem(text);
    }

    public boolean isRoot() {
        return text.equals(notation.rootText());
    }

    /** The names from the highest one down, out of their quotes. */
    public List<String> segments() {
        return notation.names(text);
    }

    /** The last segment; of the root the empty string. */
    public String name() {
        return isRoot() ? "" : notation.nameOf(text);
    }

    /** The path one segment up; of the root the root. */
    public TreePath parent() {
        return new TreePath(notation.parentOf(text), notation);
    }

    /** Every path strictly above this one but the root, the highest first. */
    public List<TreePath> properAncestors() {
        List<TreePath> ancestors = new ArrayList<>();
        for (TreePath at = parent(); !at.isRoot(); at = at.parent()) {
            ancestors.add(at);
        }
        Collections.reverse(ancestors);
        return List.copyOf(ancestors);
    }

    /** True if this path lies strictly below the other one; {@code /ab} does not lie below {@code /a}. */
    public boolean isBelow(TreePath other) {
        return !equals(other)
                && text.startsWith(other.text)
                && (other.isRoot() || text.startsWith(other.notation.separator(), other.text.length()));
    }

    public boolean isAtOrBelow(TreePath other) {
        return equals(other) || isBelow(other);
    }

    /** What the text of every path strictly below this one begins with. */
    public String prefixOfBelow() {
        return isRoot() ? text : text + notation.separator();
    }

    /** The path of a name in this directory. */
    public TreePath child(String name) {
        return new TreePath(prefixOfBelow() + notation.spelled(name), notation);
    }

    @Override
    public int compareTo(TreePath other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreePath path && text.equals(path.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
