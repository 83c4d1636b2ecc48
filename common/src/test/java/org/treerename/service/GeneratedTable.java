package org.treerename.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page with a table between two markers. The table is generated from the code, and is never edited by hand. A test
 * compares the table with the code. With {@code -Dpages=write}, the test first writes the generated table.
 */
public record GeneratedTable(Path page) {

    private static final String BEGIN = "<!-- begin of the generated table -->\n";
    private static final String END = "<!-- end of the generated table -->\n";

    /**
     * Returns the rows of the table in the page, including the header. With {@code -Dpages=write}, writes {@code
     * generated} into the page first.
     */
    public List<String> rows(List<String> generated) {
        try {
            String text = Files.readString(page);
            int begin = text.indexOf(BEGIN) + BEGIN.length();
            int end = text.indexOf(END);
            if (begin < BEGIN.length() || end < begin) {
                throw new IllegalStateException(page + " has no markers of a generated table");
            }
            if ("write".equals(System.getProperty("pages"))) {
                Files.writeString(
                        page, text.substring(0, begin) + String.join("\n", generated) + "\n" + text.substring(end));
                return generated;
            }
            return text.substring(begin, end).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
