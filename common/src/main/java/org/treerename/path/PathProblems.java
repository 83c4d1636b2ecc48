package org.treerename.path;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Finds the first reason why a text is not a path. */
final class PathProblems {

    private static final int SHOWN = 120;

    private final String text;
    private final Notation notation;

    private PathProblems(String text, Notation notation) {
        this.text = text;
        this.notation = notation;
    }

    static Optional<String> of(String text, Notation notation) {
        return isShortInSlashes(text, notation) ? Optional.empty() : new PathProblems(text, notation).first();
    }

    /** A fast check that most paths pass: it creates no objects. A text that passes is within all limits. */
    private static boolean isShortInSlashes(String text, Notation notation) {
        int length = text.length();
        if (!notation.separator().equals("/")
                || !notation.leading()
                || notation.quoted()
                || length >= TreePath.MAX_SEGMENTS
                || !text.startsWith("/")) {
            return false;
        }
        int from = 1;
        for (int at = 1; at < length; at++) {
            char c = text.charAt(at);
            if (c == '\0' || Character.isSurrogate(c)) {
                return false;
            }
            if (c == '/') {
                if (!isSegment(text, from, at)) {
                    return false;
                }
                from = at + 1;
            }
        }
        return length == 1 || isSegment(text, from, length);
    }

    private static boolean isSegment(String text, int from, int until) {
        return switch (until - from) {
            case 0 -> false;
            case 1 -> text.charAt(from) != '.';
            case 2 -> text.charAt(from) != '.' || text.charAt(from + 1) != '.';
            default -> true;
        };
    }

    private Optional<String> first() {
        if (notation.leading() && !text.startsWith(notation.separator())) {
            return problem("a path must begin with \"" + notation.separator() + "\"");
        }
        int points = text.codePointCount(0, text.length());
        if (points > TreePath.MAX_CODE_POINTS) {
            return Optional.of("a path must have at most " + TreePath.MAX_CODE_POINTS + " code points, found " + points
                    + " in " + quoted());
        }
        if (text.indexOf('\0') >= 0) {
            return problem("a path must not contain NUL");
        }
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            return Optional.of("a path must be well-formed Unicode, found a lone surrogate in " + quoted());
        }
        if (text.equals(notation.rootText())) {
            return Optional.empty();
        }
        List<String> pieces = notation.pieces(text);
        if (pieces.isEmpty() || pieces.getLast().isEmpty()) {
            return problem("a path must not end with \"" + notation.separator() + "\"");
        }
        if (pieces.size() > TreePath.MAX_SEGMENTS) {
            return Optional.of("a path must have at most " + TreePath.MAX_SEGMENTS + " segments, found " + pieces.size()
                    + " in " + quoted());
        }
        return inPieces(pieces);
    }

    private Optional<String> inPieces(List<String> pieces) {
        List<String> names = notation.names(text);
        for (int i = 0; i < pieces.size(); i++) {
            String name = names.get(i);
            if (name.isEmpty()) {
                return problem("a path must not have an empty segment");
            }
            if (notation.separator().equals("/") && (name.equals(".") || name.equals(".."))) {
                return problem("a path must not have the segment \".\" or \"..\"");
            }
            if (!notation.spelled(name).equals(pieces.get(i))) {
                return problem("a segment must be in quotes if it contains \"" + notation.separator()
                        + "\" or a quote, or ends with the beginning of the separator; each quote inside a segment"
                        + " must be written twice; other segments must not be in quotes");
            }
            if (!notation.quoted() && !notation.endsAtSeparator(name)) {
                return problem(
                        "a segment must not end with the beginning of the separator \"" + notation.separator() + "\"");
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem(String expected) {
        return Optional.of(expected + ", found " + quoted());
    }

    /** Returns the beginning of the text in quotes, as well-formed Unicode even if the text is not well-formed. */
    private String quoted() {
        int shown = Math.min(text.length(), SHOWN);
        String begin = new String(text.substring(0, shown).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return "\"" + begin + (shown < text.length() ? "…" : "") + "\"";
    }
}
