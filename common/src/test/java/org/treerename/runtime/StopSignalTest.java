package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopSignalTest {

    private final StopSignal whole = new StopSignal();
    private final StopSignal part = whole.part();
    private final StopSignal other = whole.part();

    @Test
    void a_part_that_is_asked_to_stop_leaves_the_whole_and_the_other_parts_alone() {
        part.request();

        assertThat(part.isRequested()).isTrue();
        assertThat(part.isAbandoned()).isFalse();
        assertThat(whole.isRequested()).isFalse();
        assertThat(other.isRequested()).isFalse();
    }

    @Test
    void a_part_obeys_what_the_whole_is_told() {
        assertThat(part.isHeld()).isFalse();

        whole.holdWhile(() -> true);
        assertThat(part.isHeld()).isTrue();
        whole.request();
        assertThat(part.isRequested()).isTrue();
        assertThat(part.isAbandoned()).isFalse();
        whole.abandon();
        assertThat(part.isAbandoned()).isTrue();
    }

    @Test
    void who_is_to_stop_at_once_is_to_stop() {
        part.abandon();

        assertThat(part.isRequested()).isTrue();
        assertThat(whole.isRequested()).isFalse();
    }
}
