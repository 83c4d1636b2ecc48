package org.treerename.path;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An absolute path in a namespace: {@code /} for the root, else {@code /} before each segment and none at the end.
 *
 * <p>Two paths are the same if their code points are: nothing is normalised, so NFC and NFD spellings of a name are
 * different names. Every character but NUL may stand in a segment, a newline too.
 */
public record Path(String text) implements Comparable<Path> {

    public static final String SEPARATOR = "/";
    public static final int MAX_CODE_POINTS = 4_096;
    public static final int MAX_SEGMENTS = 1_000;
    public static final Path ROOT = new Path(SEPARATOR);

    public Path {
        problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** What keeps a text from being a path, in one sentence that quotes it; empty if it is one. */
    public static Optional<String> problem(String text) {
        if (!text.startsWith(SEPARATOR)) {
            return Optional.of("a path begins with \"/\", found " + quoted(text));
        }
        if (text.codePointCount(0, text.length()) > MAX_CODE_POINTS) {
            return Optional.of("a path has at most " + MAX_CODE_POINTS + " code points, found "
                    + text.codePointCount(0, text.length()) + " in " + quoted(text));
        }
        if (text.indexOf('\0') >= 0) {
            return Optional.of("a path contains no NUL, found " + quoted(text));
        }
        if (hasLoneSurrogate(text)) {
            return Optional.of("a path is well-formed Unicode, found a lone surrogate in " + quoted(text));
        }
        if (text.equals(SEPARATOR)) {
            return Optional.empty();
        }
        if (text.endsWith(SEPARATOR)) {
            return Optional.of("a path does not end with \"/\", found " + quoted(text));
        }
        return segmentProblem(text);
    }

    private static Optional<String> segmentProblem(String text) {
        List<String> segments = split(text);
        if (segments.size() > MAX_SEGMENTS) {
            return Optional.of("a path has at most " + MAX_SEGMENTS + " segments, found " + segments.size() + " in "
                    + quoted(text));
        }
        for (String segment : segments) {
            if (segment.isEmpty()) {
                return Optional.of("a path has no empty segment, found " + quoted(text));
            }
            if (segment.equals(".") || segment.equals("..")) {
                return Optional.of("a path has no segment \".\" or \"..\", found " + quoted(text));
            }
        }
        return Optional.empty();
    }

    private static boolean hasLoneSurrogate(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** Well-formed Unicode even where the text is not. */
    private static String quoted(String text) {
        int shown = Math.min(text.length(), 120);
        String begin = new String(text.substring(0, shown).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return "\"" + begin + (shown < text.length() ? "…" : "") + "\"";
    }

    private static List<String> split(String text) {
        return List.of(text.substring(1).split(SEPARATOR, -1));
    }

    public boolean isRoot() {
        return text.equals(SEPARATOR);
    }

    public List<String> segments() {
        return isRoot() ? List.of() : split(text);
    }

    /** The last segment; of the root the empty string. */
    public String name() {
        return text.substring(text.lastIndexOf(SEPARATOR) + 1);
    }

    /** The path one segment up; of the root the root. */
    public Path parent() {
        int end = text.lastIndexOf(SEPARATOR);
        return end <= 0 ? ROOT : new Path(text.substring(0, end));
    }

    /** Every path strictly above this one but the root, the highest first. */
    public List<Path> properAncestors() {
        List<Path> ancestors = new ArrayList<>();
        for (Path at = parent(); !at.isRoot(); at = at.parent()) {
            ancestors.add(at);
        }
        Collections.reverse(ancestors);
        return List.copyOf(ancestors);
    }

    /** True if this path lies strictly below the other one; {@code /ab} does not lie below {@code /a}. */
    public boolean isBelow(Path other) {
        return !equals(other) && text.startsWith(other.prefixOfBelow());
    }

    public boolean isAtOrBelow(Path other) {
        return equals(other) || isBelow(other);
    }

    /** What the text of every path strictly below this one begins with. */
    public String prefixOfBelow() {
        return isRoot() ? SEPARATOR : text + SEPARATOR;
    }

    public Path child(String name) {
        return new Path(prefixOfBelow() + name);
    }

    /** Whether a text, whatever else it is, keeps the limits of a path's length and depth. */
    public static boolean isWithinLimits(String text) {
        return text.codePointCount(0, text.length()) <= MAX_CODE_POINTS && separators(text) <= MAX_SEGMENTS;
    }

    private static long separators(String text) {
        return text.chars().filter(c -> c == SEPARATOR.charAt(0)).count();
    }

    @Override
    public int compareTo(Path other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
