package org.treerename.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The notation of the paths of a namespace. The notation defines the separator between two segments, and whether a path
 * begins with the separator. The notation also defines whether a segment may be in double quotes.
 *
 * <p>If a notation allows quotes, a segment that contains the separator or a quote must be quoted. No other segment may
 * be quoted. Quotes inside a quoted segment are doubled. So each path has only one spelling. In every notation, the
 * paths below a path {@code p} are the paths whose text begins with the text of {@code p} and a separator. The root is
 * an exception: all other paths are below the root.
 *
 * @param separator the separator of segments, one to eight characters. Quotes, letters, digits, control characters and
 *     characters above U+FFFF are not allowed
 * @param leading whether a path begins with the separator. If true, the root is the separator; otherwise the root is
 *     the empty text
 * @param quoted whether segments may be quoted
 */
public record Notation(String separator, boolean leading, boolean quoted) {

    /** The notation of paths like {@code /a/b}. */
    public static final Notation SLASHES = new Notation("/", true, false);

    private static final char QUOTE = '"';
    private static final int MOST = 8;

    public Notation {
        if (separator.isEmpty() || separator.length() > MOST) {
            throw new IllegalArgumentException(
                    "a separator must have 1 to " + MOST + " characters, found \"" + separator + "\"");
        }
        if (!separator.chars().allMatch(Notation::isAllowedInSeparator)) {
            throw new IllegalArgumentException(
                    "a separator must not contain a quote, a letter, a digit, a control character, or a character"
                            + " above U+FFFF, found \"" + separator + "\"");
        }
    }

    private static boolean isAllowedInSeparator(int c) {
        return c != QUOTE
                && !Character.isLetterOrDigit(c)
                && !Character.isISOControl(c)
                && !Character.isSurrogate((char) c)
                && !Character.isSurrogate((char) (c + 1))
                && c < Character.MAX_VALUE;
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException if the text is not a path; the message is the {@link #problem}
     */
    public TreePath path(String text) {
        return new TreePath(text, this);
    }

    /**
     * Returns the reason why a text is not a path, as one sentence that quotes the text; empty if the text is a path.
     */
    public Optional<String> problem(String text) {
        return PathProblems.of(text, this);
    }

    public TreePath root() {
        return new TreePath(rootText(), this);
    }

    public String rootText() {
        return leading ? separator : "";
    }

    private int begin(String text) {
        return leading && text.startsWith(separator) ? separator.length() : 0;
    }

    /** Returns a name as it is written in a path, in quotes if necessary. */
    String spelled(String name) {
        return quoted && (name.indexOf(QUOTE) >= 0 || !endsAtSeparator(name))
                ? QUOTE + name.replace("\"", "\"\"") + QUOTE
                : name;
    }

    /**
     * Returns whether the end of a name can be recognised when a separator follows the name. The name and this
     * separator together must contain no earlier separator. With the separator {@code ::}, the method returns false for
     * the name {@code a:}, because {@code a:::} contains a separator one character earlier.
     */
    boolean endsAtSeparator(String name) {
        return (name + separator).indexOf(separator) == name.length();
    }

    /** A piece is the text between two separators of a path. Its quotes may be incorrect. */
    private String name(String piece) {
        boolean inQuotes =
                quoted && piece.length() > 1 && piece.charAt(0) == QUOTE && piece.charAt(piece.length() - 1) == QUOTE;
        return inQuotes ? piece.substring(1, piece.length() - 1).replace("\"\"", "\"") : piece;
    }

    /** Splits a text at the separators outside quotes. The text need not be a valid path. */
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

    /** Returns the index of the next separator outside quotes; the length of the text if there is no separator. */
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

    /** Returns the index of the last separator outside quotes; -1 if there is no separator. */
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

    /**
     * Returns the part of a text before its last segment; the text of the root if there is no such part. The text need
     * not be a valid path.
     */
    public String parentOf(String text) {
        int end = last(text);
        return end <= 0 ? rootText() : text.substring(0, end);
    }

    /** Returns the last segment of a text, without its quotes. The text need not be a valid path. */
    public String nameOf(String text) {
        int end = last(text);
        return name(end < 0 ? text : text.substring(end + separator.length()));
    }

    /** Returns the number of segments of a text. The text need not be a valid path. */
    public int depthOf(String text) {
        return pieces(text).size();
    }

    /**
     * Returns the paths of all directories above the path in a text, the highest first, without the root. The text need
     * not be a valid path.
     */
    public List<String> ancestorsOf(String text) {
        List<String> ancestors = new ArrayList<>();
        for (int at = next(text, begin(text)); at < text.length(); at = next(text, at + separator.length())) {
            ancestors.add(text.substring(0, at));
        }
        return ancestors;
    }

    /** Returns the beginning of a text with at most the given number of segments. The text need not be a valid path. */
    public String firstOf(String text, int segments) {
        int end = 0;
        int from = begin(text);
        for (int taken = 0; taken < segments && end < text.length(); taken++) {
            end = next(text, from);
            from = end + separator.length();
        }
        return text.substring(0, end);
    }

    /**
     * Returns the path of a child of a directory, as text. The directory and the name of the child need not be valid.
     */
    public String childOf(String directory, String name) {
        return directory.equals(rootText()) ? directory + spelled(name) : directory + separator + spelled(name);
    }

    /**
     * Returns whether a text is within the limits for the length and the depth of a path. The text need not be a valid
     * path.
     */
    public boolean isWithinLimits(String text) {
        // a text with fewer characters than the largest number of segments is within both limits
        return text.length() < TreePath.MAX_SEGMENTS
                || (text.codePointCount(0, text.length()) <= TreePath.MAX_CODE_POINTS
                        && depthOf(text) <= TreePath.MAX_SEGMENTS);
    }
}
