package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;

final class CrashCaseTest {

    @Test
    void every_crash_point_has_a_case() {
        assertThat(Stream.concat(CrashCase.WORKERS.stream(), CrashCase.JANITORS.stream())
                        .map(CrashCase::point))
                .containsExactlyInAnyOrder(CrashPoint.values());
    }

    @Test
    void no_worker_is_to_die_where_only_janitors_come_by() {
        assertThat(CrashCase.WORKERS.stream().map(CrashCase::point)).noneMatch(CrashPoint::isOfJanitor);
    }
}
