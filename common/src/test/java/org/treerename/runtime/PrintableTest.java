package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void nothingMovesTheCursorOrTurnsTheText() {
        assertThat(Printable.of("/a\u001b[2J\r\n\u009b/\u202efdp.exe"))
                .isEqualTo("/a\\u001b[2J\\u000d\\u000a\\u009b/\\u202efdp.exe");
    }

    @Test
    void otherTextsStay() {
        assertThat(Printable.of("/Pläne/日本語/👩‍💻 \"'<>%")).isEqualTo("/Pläne/日本語/👩‍💻 \"'<>%");
    }

    @Test
    void linesStayWhereTheyMay() {
        assertThat(Printable.lines("one\ntwo\u001b[1m\n\nthree")).isEqualTo("one\ntwo\\u001b[1m\n\nthree");
        assertThat(Printable.lines("")).isEmpty();
    }
}
