package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnWritesTest {

    private static final Duration GAP = Duration.ofSeconds(15);

    private final OwnWrites ownWrites = new OwnWrites();

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private boolean sang(long sinceSeconds, long nowSeconds) {
        return ownWrites.succeededSince(seconds(sinceSeconds), seconds(nowSeconds), GAP);
    }

    @Test
    void before_its_first_acknowledged_write_nothing_is_known() {
        assertThat(sang(0, 0)).isFalse();
    }

    @Test
    void writes_that_follow_each_other_closely_enough_are_a_song() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(15));
        ownWrites.acknowledged(seconds(30));

        assertThat(sang(0, 45)).isTrue();
    }

    @Test
    void a_write_must_have_been_acknowledged_at_or_before_the_beginning() {
        ownWrites.acknowledged(seconds(5));
        ownWrites.acknowledged(seconds(15));

        assertThat(sang(4, 20)).isFalse();
        assertThat(sang(5, 20)).isTrue();
        assertThat(sang(6, 20)).isTrue();
    }

    @Test
    void a_gap_anywhere_ends_the_song() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(10));
        ownWrites.acknowledged(seconds(26));
        ownWrites.acknowledged(seconds(36));

        assertThat(sang(0, 40)).describedAs("in the middle").isFalse();
        assertThat(sang(26, 52)).describedAs("until now").isFalse();
        assertThat(sang(20, 40)).describedAs("before the beginning").isFalse();
        assertThat(sang(26, 40)).isTrue();
    }

    @Test
    void a_write_acknowledged_after_the_moment_asked_about_does_no_harm() {
        ownWrites.acknowledged(seconds(0));
        ownWrites.acknowledged(seconds(10));
        ownWrites.acknowledged(seconds(20));

        assertThat(sang(0, 15)).isTrue();
    }

    @Test
    void it_works_where_the_monotonic_clock_is_negative() {
        ownWrites.acknowledged(seconds(-40));
        ownWrites.acknowledged(seconds(-30));

        assertThat(sang(-35, -20)).isTrue();
        assertThat(sang(-41, -20)).isFalse();
    }
}
