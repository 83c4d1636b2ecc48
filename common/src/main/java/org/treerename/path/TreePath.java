package org.treerename.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An absolute path in a namespace, written in the notation of the namespace, for example {@code /a/b} or {@code a.b}.
 *
 * <p>Two paths are equal if their code points are equal. Unicode is not normalised, so the NFC form and the NFD form of
 * a name are different names. A segment may contain every character except NUL; even a newline is allowed. A segment
 * may contain the separator if the notation allows quotes. Paths of different notations belong to different namespaces
 * and are never compared.
 */
public record TreePath(String text, Notation notation) implements Comparable<TreePath> {

    public static final int MAX_CODE_POINTS = 4_096;
    public static final int MAX_SEGMENTS = 1_000;

    /** The root in the notation with slashes. */
    public static final TreePath ROOT = Notation.SLASHES.root();

    public TreePath {
        notation.problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** Creates a path in the notation with slashes. */
    public TreePath(String text) {
        this(text, Notation.SLASHES);
    }

    /** Returns the reason why a text is not a path in the notation with slashes; empty if the text is a path. */
    public static Optional<String> problem(String text) {
        return Notation.SLASHES.problem(text);
    }

    public boolean isRoot() {
        return text.equals(notation.rootText());
    }

    /** Returns the names of all segments, the highest first, without their quotes. */
    public List<String> segments() {
        return notation.names(text);
    }

    /** Returns the name of the last segment, without quotes; the empty string for the root. */
    public String name() {
        return isRoot() ? "" : notation.nameOf(text);
    }

    /** Returns the path of the directory above this path. For the root, returns the root. */
    public TreePath parent() {
        return new TreePath(notation.parentOf(text), notation);
    }

    /** Returns every path strictly above this path except the root, the highest first. */
    public List<TreePath> properAncestors() {
        List<TreePath> ancestors = new ArrayList<>();
        for (TreePath at = parent(); !at.isRoot(); at = at.parent()) {
            ancestors.add(at);
        }
        Collections.reverse(ancestors);
        return List.copyOf(ancestors);
    }

    /** Returns whether this path is strictly below the other path. {@code /ab} is not below {@code /a}. */
    public boolean isBelow(TreePath other) {
        return !equals(other)
                && text.startsWith(other.text)
                && (other.isRoot() || text.startsWith(other.notation.separator(), other.text.length()));
    }

    public boolean isAtOrBelow(TreePath other) {
        return equals(other) || isBelow(other);
    }

    /** Returns the text with which every path strictly below this path begins. */
    public String prefixOfBelow() {
        return isRoot() ? text : text + notation.separator();
    }

    /** Returns the path of the child with the given name. */
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
