package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {

    private final StringWriter printed = new StringWriter();
    private final PrintWriter out = new PrintWriter(printed, true);

    @Test
    void columns_are_as_wide_as_their_widest_cell_and_heads_are_printed_once() {
        Table table = new Table("A", "LONG", "C");
        table.row("xyz", 1, "c");
        table.row("", "\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00", "d");
        table.printTo(out);
        table.row("u", "v", "w");
        table.printTo(out);

        assertThat(printed.toString().lines())
                .containsExactly(
                        "A    LONG   C",
                        "xyz  1      c",
                        "     \uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00  d",
                        "u    v      w");
    }

    @Test
    void escapes_control_characters_of_cells() {
        Table table = new Table("PATH");
        table.row("/a\nb\u001B[2J");
        table.printTo(out);

        assertThat(printed.toString().lines()).containsExactly("PATH", "/a\\u000ab\\u001b[2J");
    }

    @Test
    void without_rows_nothing_is_printed() {
        new Table("A").printTo(out);

        assertThat(printed.toString()).isEmpty();
    }

    @Test
    void a_row_has_a_cell_for_each_column() {
        assertThatThrownBy(() -> new Table("A", "B").row("a")).isInstanceOf(IllegalArgumentException.class);
    }
}
