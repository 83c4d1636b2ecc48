package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.runtime.Loop;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;

@Timeout(60)
class FarewellTest {

    private static final Duration GRACE = Duration.ofMillis(600);
    private static final ProcessId ID = new ProcessId("worker-1");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Calls calls = new Calls(Interference.none());
    private final StopSignal stop = new StopSignal();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Heartbeat heartbeat = Heartbeat.begin(
            new FaultyProcessStore(processes, calls),
            ProcessDocument.live(
                    ID, "worker", "host", Duration.ofSeconds(30), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID));

    private Farewell farewell(Runnable beat) {
        return new Farewell(heartbeat, Loop.start("heartbeat", new SystemTime(), Duration.ofHours(1), beat), stop);
    }

    /** As where Elasticsearch is frozen: not even a time-out ends it. */
    private void hang() {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ProcessState stored() {
        return processes.read(ID).orElseThrow().value().state();
    }

    @Test
    void work_that_does_not_end_is_handed_over_at_the_end_of_the_grace() {
        farewell(() -> {}).within(GRACE, new CountDownLatch(1));

        assertThat(stop.isRequested()).isTrue();
        assertThat(stored()).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void a_store_that_hangs_holds_up_no_stop() {
        Farewell farewell = farewell(() -> {});
        calls.interfere(Interference.before("processes.write", 1, this::hang));

        farewell.within(GRACE, new CountDownLatch(1));

        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void a_heartbeat_that_hangs_holds_up_no_stop() throws InterruptedException {
        CountDownLatch beating = new CountDownLatch(1);
        Farewell farewell = farewell(() -> {
            beating.countDown();
            hang();
        });
        beating.await();

        farewell.within(GRACE, new CountDownLatch(1));

        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    /** The work has ended in time, and what it says of that is on its way. */
    @Test
    void the_working_threads_own_words_hold_up_no_stop_and_are_not_said_twice() throws InterruptedException {
        CountDownLatch saying = new CountDownLatch(1);
        Farewell farewell = farewell(() -> {});
        calls.interfere(Interference.before("processes.write", 1, () -> {
            saying.countDown();
            hang();
        }));
        CountDownLatch ended = new CountDownLatch(1);
        Thread working = Thread.ofPlatform().daemon().start(() -> {
            farewell.say();
            ended.countDown();
        });
        saying.await();

        farewell.within(GRACE, ended);
        never.countDown();
        working.join();
        farewell.say();

        assertThat(stored()).isEqualTo(ProcessState.STOPPED);
        assertThat(processes.read(ID).orElseThrow().value().heartbeat()).isEqualTo(1);
    }

    @Test
    void who_was_fenced_says_nothing() {
        stop.abandon();

        farewell(() -> {}).say();

        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void the_last_part_is_a_fifth_of_the_grace_and_half_a_second_at_least() {
        assertThat(Farewell.part(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(3));
        assertThat(Farewell.part(Duration.ZERO)).isEqualTo(Duration.ofMillis(500));
    }
}
