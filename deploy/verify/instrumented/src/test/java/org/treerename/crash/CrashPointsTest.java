package org.treerename.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CrashPointsTest {

    private final AtomicInteger acted = new AtomicInteger();

    @Test
    void acts_once_when_its_point_is_reached_for_the_nth_time() {
        CrashPoints points = new CrashPoints(new CrashAt(CrashPoint.BEFORE_MOVE, 2), acted::incrementAndGet);

        points.reach(CrashPoint.BEFORE_MOVE);
        points.reach(CrashPoint.AFTER_MOVE);
        assertThat(acted).hasValue(0);

        points.reach(CrashPoint.BEFORE_MOVE);
        points.reach(CrashPoint.BEFORE_MOVE);
        assertThat(acted).hasValue(1);
    }
}
