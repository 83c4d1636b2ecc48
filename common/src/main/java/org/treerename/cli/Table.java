package org.treerename.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.treerename.runtime.Printable;

/**
 * A table for people. The table is printed in parts, so that this class does not keep many rows in memory. Only one
 * thread calls this class.
 */
public final class Table {

    private static final String BETWEEN = "  ";

    private final List<String> heads;
    private final int[] widths;
    private final List<List<String>> rows = new ArrayList<>();
    private boolean begun;

    public Table(String... heads) {
        this.heads = List.of(heads);
        this.widths = new int[heads.length];
    }

    /** Adds a row, and makes its cells {@linkplain Printable printable}. */
    public void row(Object... cells) {
        if (cells.length != widths.length) {
            throw new IllegalArgumentException("expected " + widths.length + " cells, found " + cells.length);
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(Printable.of(String.valueOf(cell)));
        }
        rows.add(row);
    }

    /**
     * Prints the rows that were added since the last call, and removes these rows from memory. The first printed part
     * begins with the column headers. The columns of a later part may be wider.
     */
    public void printTo(PrintWriter out) {
        if (rows.isEmpty()) {
            return;
        }
        if (!begun) {
            rows.addFirst(heads);
            begun = true;
        }
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], columns(row.get(i)));
            }
        }
        rows.forEach(row -> out.println(line(row)));
        rows.clear();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell).append(" ".repeat(widths[i] - columns(cell))).append(BETWEEN);
        }
        return line.toString().stripTrailing();
    }

    private static int columns(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
