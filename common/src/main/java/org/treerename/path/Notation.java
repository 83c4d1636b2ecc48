package org.treerename.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the paths of a namespace are written: what stands between two segments, whether it also stands before the first, and
 * whether a segment may stand in double quotes.
 *
 * <p>Where segments may be quoted, one that contains the separator or a quote stands in quotes, with the quotes inside
 * doubled, and no other one does; so each path has one spelling. What is below a path begins with the text of that path and
 * a separator, and nothing else does, whatever the notation.
 *
 * @param separator of segments; one to eight characters, none of them a quote
 * @param leading whether it stands before the first segment, too; then it is the root, else the empty text is
 * @param quoted whether segments may be quoted
 */
public record Notation(String separator, boolean leading, boolean quoted) {

    /** {@code /a/b}. */
    public static final Notation SLASHES = new Notation("/", true, false);

    private static final char QUOTE = '"';
    private static final int MOST = 8;

    public Notation {
        if (separator.isEmpty() || separator.length() > MOST) {
            throw new IllegalArgumentException(
                    "a separator has 1 to " + MOST + " characters, found \"" + separator + "\"");
        }
        if (!separator.chars().allMatch(Notation::mayStandInSeparator)) {
            throw new IllegalArgumentException(
                    "a separator has no quote, no letter, no digit, no control character, and none"
                            + " beyond Unicode's basic plane, found \"" + separator + "\"");
        }
    }

    private static boolean mayStandInSeparator(int c) {
        return c != QUOTE
                && !Character.isLetterOrDigit(c)
                && !Character.isISOControl(c)
                && !Character.isSurrogate((char) c)
                && !Character.isSurrogate((char) (c + 1))
                && c < Character.MAX_VALUE;
    }

    /**
     * The path that a text is.
     *
     * @throws IllegalArgumentException with the {@link #problem} if it is none
     */
    public TreePath path(String text) {
        return new TreePath(text, this);
    }

    /** What keeps a text from being a path, in one sentence that quotes it; empty if it is one. */
    public Optional<String> problem(String text) {
        return PathProblems.of(text, this);
    }

    public TreePath root() {
        return new TreePath(rootText(), this);
    }

    String rootText() {
        return leading ? separator : "";
    }

    /** Where the first segment of a text begins. */
    private int begin(String text) {
        return leading && text.startsWith(separator) ? separator.length() : 0;
    }

    /** A name as it stands in a path. */
    String spelled(String name) {
        return quoted && (name.indexOf(QUOTE) >= 0 || !endsAtSeparator(name))
                ? QUOTE + name.replace("\"", "\"\"") + QUOTE
                : name;
    }

    /** Whether what follows the name up to the first separator is nothing: {@code a:} and {@code ::} make {@code a:::}. */
    boolean endsAtSeparator(String name) {
        return (name + separator).indexOf(separator) == name.length();
    }

    /** The name that a piece of a path between separators spells, whether it is well spelled or not. */
    private String name(String piece) {
        boolean inQuotes =
                quoted && piece.length() > 1 && piece.charAt(0) == QUOTE && piece.charAt(piece.length() - 1) == QUOTE;
        return inQuotes ? piece.substring(1, piece.length() - 1).replace("\"\"", "\"") : piece;
    }

    /** The pieces of a text, whatever it is, between the separators that stand in no quotes. */
    List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        int from = begin(text);
        if (text.length() == from) {
            return pieces;
        }
        for (int at = next(text, from); at < text.length(); at = next(text, from)) {
            pieces.add(text.substring(from, at));
            from = at + separator.length();
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    List<String> names(String text) {
        return pieces(text).stream().map(this::name).toList();
    }

    /** Where the next separator in no quotes begins; the text's length if there is none. */
    private int next(String text, int from) {
        if (!quoted) {
            int at = text.indexOf(separator, from);
            return at < 0 ? text.length() : at;
        }
        boolean inQuotes = false;
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == QUOTE) {
                inQuotes = !inQuotes;
            } else if (!inQuotes && text.startsWith(separator, at)) {
                return at;
            }
        }
        return text.length();
    }

    /** Where the last separator in no quotes begins; -1 if there is none. */
    private int last(String text) {
        if (!quoted && separator.length() == 1) {
            return text.lastIndexOf(separator);
        }
        int from = begin(text);
        int last = from == 0 ? -1 : 0;
        for (int at = next(text, from); at < text.length(); at = next(text, from)) {
            last = at;
            from = at + separator.length();
        }
        return last;
    }

    /** What stands before the last segment of a text, which need not be a path; the root's text if nothing does. */
    public String parentOf(String text) {
        int end = last(text);
        return end <= 0 ? rootText() : text.substring(0, end);
    }

    /** The last segment of a text, which need not be a path, out of its quotes. */
    public String nameOf(String text) {
        int end = last(text);
        return name(end < 0 ? text : text.substring(end + separator.length()));
    }

    /** How many segments a text has, which need not be a path. */
    public int depthOf(String text) {
        return pieces(text).size();
    }

    /** What stands above a text, which need not be a path: every text strictly above it but the root's, the highest first. */
    public List<String> ancestorsOf(String text) {
        List<String> ancestors = new ArrayList<>();
        for (int at = next(text, begin(text)); at < text.length(); at = next(text, at + separator.length())) {
            ancestors.add(text.substring(0, at));
        }
        return ancestors;
    }

    /** What a text begins with up to so many segments; the text need not be a path. */
    public String firstOf(String text, int segments) {
        int end = 0;
        int from = begin(text);
        for (int taken = 0; taken < segments && end < text.length(); taken++) {
            end = next(text, from);
            from = end + separator.length();
        }
        return text.substring(0, end);
    }

    /** The text of a name in a directory; neither need be one of a path. */
    public String childOf(String directory, String name) {
        return directory.equals(rootText()) ? directory + spelled(name) : directory + separator + spelled(name);
    }

    /** Whether a text, whatever else it is, keeps the limits of a path's length and depth. */
    public boolean isWithinLimits(String text) {
        // a text that short needs no counting
        return text.length() < TreePath.MAX_SEGMENTS
                || (text.codePointCount(0, text.length()) <= TreePath.MAX_CODE_POINTS
                        && depthOf(text) <= TreePath.MAX_SEGMENTS);
    }
}
