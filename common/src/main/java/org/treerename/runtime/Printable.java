package org.treerename.runtime;

import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Makes texts safe for a terminal. A path from a document or a request may contain any character. But a line break, an
 * escape sequence or a change of the writing direction must not reach the terminal.
 */
public final class Printable {

    private static final String LINES_AND_DIRECTIONS =
            "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private Printable() {}

    /** Returns the text on one line. Each unsafe character is replaced by its Unicode number. */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (Character.isISOControl(c) || LINES_AND_DIRECTIONS.indexOf(c) >= 0) {
                printable.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                printable.append((char) c);
            }
        });
        return printable.toString();
    }

    /** Makes a text with several lines printable. Keeps the line breaks, and replaces all other unsafe characters. */
    public static String lines(String text) {
        return text.lines().map(Printable::of).collect(Collectors.joining("\n"));
    }
}
