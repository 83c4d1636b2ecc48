package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopSignalTest {

    private final StopSignal whole = new StopSignal();
    private final StopSignal part = whole.part();
    private final StopSignal other = whole.part();

    @Test
    void a_stop_of_a_part_does_not_stop_the_whole_and_the_other_parts() {
        part.request();

        assertThat(part.isRequested()).isTrue();
        assertThat(part.isAbandoned()).isFalse();
        assertThat(whole.isRequested()).isFalse();
        assertThat(other.isRequested()).isFalse();
    }

    @Test
    void a_signal_to_the_whole_applies_to_its_parts() {
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
    void an_abandoned_part_is_also_requested_to_stop() {
        part.abandon();

        assertThat(part.isRequested()).isTrue();
        assertThat(whole.isRequested()).isFalse();
    }
}
