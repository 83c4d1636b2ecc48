package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidV7Test {

    private final ManualTime time = ManualTime.startingAt("2026-08-01T10:00:00Z");

    @Test
    void has_version_seven_and_contains_the_milliseconds() {
        UUID id = new UuidV7(time, new Random(1)).next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(time.now().toEpochMilli());
    }

    @Test
    void ids_of_one_millisecond_are_sorted_even_if_the_counter_overflows() {
        UuidV7 ids = new UuidV7(time, new Random(2));

        List<String> made = texts(ids, 10_000);

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void ids_are_sorted_if_the_clock_goes_back() {
        UuidV7 ids = new UuidV7(time, new Random(3));

        List<String> made = new ArrayList<>(texts(ids, 3));
        time.advance(Duration.ofSeconds(-5));
        made.addAll(texts(ids, 3));
        time.advance(Duration.ofMillis(5_001));
        made.addAll(texts(ids, 3));

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    private static List<String> texts(UuidV7 ids, int count) {
        return Stream.generate(() -> ids.next().toString()).limit(count).toList();
    }
}
