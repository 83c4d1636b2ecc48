package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnWritesTest {

    private static final Duration GAP = Duration.ofSeconds(15);

    private final OwnWrites ownWrites = new OwnWrites();

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private boolean succeeded(long sinceSeconds, long nowSeconds) {
        return ownWrites.succeededSince(seconds(sinceSeconds), seconds(nowSeconds), GAP);
    }

    @Test
    void is_false_before_the_first_acknowledged_write() {
        assertThat(succeeded(0, 0)).isFalse();
    }

    @Test
    void is_true_if_no_gap_between_writes_is_too_long() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(15));
        ownWrites.acknowledged(seconds(30));

        assertThat(succeeded(0, 45)).isTrue();
    }

    @Test
    void needs_a_write_that_was_acknowledged_at_or_before_the_start() {
        ownWrites.acknowledged(seconds(5));
        ownWrites.acknowledged(seconds(15));

        assertThat(succeeded(4, 20)).isFalse();
        assertThat(succeeded(5, 20)).isTrue();
        assertThat(succeeded(6, 20)).isTrue();
    }

    @Test
    void is_false_if_any_gap_is_too_long() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(10));
        ownWrites.acknowledged(seconds(26));
        ownWrites.acknowledged(seconds(36));

        assertThat(succeeded(0, 40)).describedAs("with a gap in the middle").isFalse();
        assertThat(succeeded(26, 52)).describedAs("with a gap before now").isFalse();
        assertThat(succeeded(20, 40)).describedAs("with a gap around the start").isFalse();
        assertThat(succeeded(26, 40)).isTrue();
    }

    @Test
    void ignores_writes_that_were_acknowledged_after_now() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(10));
        ownWrites.acknowledged(seconds(20));

        assertThat(succeeded(0, 15)).isTrue();
    }

    @Test
    void works_with_a_negative_monotonic_clock() {
        ownWrites.acknowledged(seconds(-40));
        ownWrites.acknowledged(seconds(-30));

        assertThat(succeeded(-35, -20)).isTrue();
        assertThat(succeeded(-41, -20)).isFalse();
    }
}
