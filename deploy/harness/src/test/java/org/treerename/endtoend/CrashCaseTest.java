package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;

final class CrashCaseTest {

    @Test
    void everyCrashPointIsTriedByTheProcessThatComesBy() {
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
