package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;

final class CrashCaseTest {

    @Test
    void every_crash_point_has_a_case_of_the_process_that_reaches_it() {
        assertThat(CrashCase.WORKERS.stream().map(CrashCase::point))
                .containsExactlyInAnyOrderElementsOf(Stream.of(CrashPoint.values())
                        .filter(point -> !point.isOfJanitor())
                        .toList());
        assertThat(CrashCase.JANITORS.stream().map(CrashCase::point))
                .containsExactlyInAnyOrderElementsOf(Stream.of(CrashPoint.values())
                        .filter(CrashPoint::isOfJanitor)
                        .toList());
    }
}
