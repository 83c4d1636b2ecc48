package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {

    @RepeatedTest(200)
    void decodes_each_encoded_text_to_the_original(RepetitionInfo seed) {
        Random random = new Random(seed.getCurrentRepetition());
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            int codePoint = random.nextBoolean() ? ' ' + random.nextInt('~' - ' ' + 1) : random.nextInt(0x10FFFF);
            boolean isSurrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
            text.appendCodePoint(isSurrogate ? 'x' : codePoint);
        }

        String encoded = Percent.encode(text.toString());

        assertThat(encoded).matches("[A-Za-z0-9._~%-]*");
        assertThat(Percent.decode(encoded)).contains(text.toString());
    }

    @Test
    void decodes_only_once() {
        assertThat(Percent.decode("%2541")).contains("%41");
        assertThat(Percent.decode("a+b;c")).contains("a+b;c");
    }

    @Test
    void encodes_the_segments_dot_and_dot_dot() {
        assertThat(Percent.encode(".")).isEqualTo("%2E");
        assertThat(Percent.encode("..")).isEqualTo("%2E%2E");
        assertThat(Percent.encode("a.b")).isEqualTo("a.b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%4g", "%-1", "%FF", "%C3", "%C0%AF", "%ED%A0%80", "\u00e4", "a\nb"})
    void does_not_decode_malformed_text(String encoded) {
        assertThat(Percent.decode(encoded)).isEmpty();
    }
}
