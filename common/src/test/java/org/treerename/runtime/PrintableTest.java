package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void escapes_characters_that_move_the_cursor_or_reverse_the_text() {
        assertThat(Printable.of("/a\u001b[2J\r\n\u009b/\u202efdp.exe"))
                .isEqualTo("/a\\u001b[2J\\u000d\\u000a\\u009b/\\u202efdp.exe");
    }

    @Test
    void keeps_other_texts() {
        assertThat(Printable.of("/Pläne/日本語/👩‍💻 \"'<>%")).isEqualTo("/Pläne/日本語/👩‍💻 \"'<>%");
    }

    @Test
    void keeps_line_breaks_of_a_text_with_lines() {
        assertThat(Printable.lines("one\ntwo\u001b[1m\n\nthree")).isEqualTo("one\ntwo\\u001b[1m\n\nthree");
        assertThat(Printable.lines("")).isEmpty();
    }
}
