package org.treerename.runtime;

import java.util.Locale;

/** Texts of other people on a terminal: paths hold any character, and a line break or an escape sequence must not get there. */
public final class Printable {

    private Printable() {}

    /** The same with each control character told by its number. */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                printable.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                printable.append((char) c);
            }
        });
        return printable.toString();
    }
}
