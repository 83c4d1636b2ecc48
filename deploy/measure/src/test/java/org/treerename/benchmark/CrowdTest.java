package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.benchmark.TreeLocks.Mode;
import org.treerename.runtime.Time;

class CrowdTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void a_lock_set_has_one_lock_more_than_its_depth(int depth) {
        assertThat(new Crowd(depth, 2, false).locks(1).modes()).hasSize(depth + 1);
        assertThat(new Crowd(depth, 2, true).locks(1).modes()).hasSize(depth + 1);
    }

    @Test
    void disjoint_lock_sets_have_no_path_in_common() {
        Crowd crowd = new Crowd(4, 2, false);

        assertThat(crowd.locks(0).modes().keySet())
                .doesNotContainAnyElementsOf(crowd.locks(1).modes().keySet());
    }

    @Test
    void the_lock_sets_have_only_the_shared_hot_ancestor_in_common() {
        Crowd crowd = new Crowd(4, 2, true);
        TreeLocks one = crowd.locks(0);
        TreeLocks other = crowd.locks(1);

        assertThat(one.modes()).containsEntry("/hot", Mode.SHARED);
        Set<String> common = new HashSet<>(one.modes().keySet());
        common.retainAll(other.modes().keySet());
        assertThat(common).containsExactly("/hot");
    }

    @Test
    void a_lock_set_is_held_for_the_full_time_even_if_pauses_end_early() throws Exception {
        AtomicLong nanos = new AtomicLong();
        Time time = new Time() {
            @Override
            public Instant now() {
                throw new UnsupportedOperationException();
            }

            @Override
            public long nanos() {
                return nanos.get();
            }

            @Override
            public void pause(Duration length) {
                nanos.addAndGet(Math.ceilDiv(length.toNanos(), 2));
            }
        };
        List<Long> held = new ArrayList<>();
        Locking locking = new Locking() {
            @Override
            public String name() {
                return "a clock";
            }

            @Override
            public void acquireAndRelease(TreeLocks locks, Runnable whileHeld) {
                long begun = nanos.get();
                whileHeld.run();
                held.add(nanos.get() - begun);
            }
        };

        double perSecond = new Crowd(2, 1, false)
                .play(locking, Duration.ofMillis(20), Duration.ofMillis(5), time)
                .perSecond();

        assertThat(held).hasSize(4).allMatch(nanosHeld -> nanosHeld == 5_000_000);
        assertThat(perSecond).isEqualTo(200);
    }
}
