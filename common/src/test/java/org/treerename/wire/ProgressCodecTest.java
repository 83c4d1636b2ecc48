package org.treerename.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.rename.RenameProgress;

class ProgressCodecTest {

    private static final RenameProgress PROGRESS = new RenameProgress("r\"1", 1L << 40, 1L << 41, 2, "worker-1", true);

    @Test
    void it_is_valid_and_comes_back() {
        String text = ProgressCodec.encode(PROGRESS);

        assertThat(Schema.PROGRESS.problems(text)).isEmpty();
        assertThat(ProgressCodec.decode(text)).isEqualTo(PROGRESS);
    }

    @Test
    void unknown_fields_are_ignored() {
        String later = "{\"later\":1," + ProgressCodec.encode(PROGRESS).substring(1);

        assertThat(ProgressCodec.decode(later)).isEqualTo(PROGRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "{}", "{\"request_id\":\"r1\",\"moved\":1}"})
    void what_is_none_is_refused(String text) {
        assertThatThrownBy(() -> ProgressCodec.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
