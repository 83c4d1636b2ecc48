package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextHeadTest {

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void reads_utf_8_as_text_and_an_empty_file_as_an_empty_text() {
        assertThat(TextHead.text(utf8("héllo"), false)).contains("héllo");
        assertThat(TextHead.text(utf8(""), false)).contains("");
    }

    @Test
    void bytes_with_nul_or_invalid_utf_8_are_no_text() {
        assertThat(TextHead.text(utf8("a\0b"), false)).isEmpty();
        assertThat(TextHead.text(new byte[] {'a', (byte) 0xff}, true)).isEmpty();
        assertThat(TextHead.text(new byte[] {'a', (byte) 0xc3}, false)).isEmpty();
    }

    @Test
    void reads_the_beginning_of_a_long_file_without_a_truncated_character(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("long");
        String text = "x".repeat(TextHead.MAX_BYTES - 1);
        Files.writeString(file, text + "é and more");

        assertThat(TextHead.of(file)).contains(text);
    }
}
