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
class GracefulShutdownTest {

    /** A time that is longer than the time limit of the test. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration NONE = Duration.ZERO;
    private static final ProcessId ID = new ProcessId("worker-1");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Calls calls = new Calls(Interference.none());
    private final StopSignal stop = new StopSignal();
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final Heartbeat heartbeat = Heartbeat.begin(
            calls.around(ProcessStore.class, processes),
            ProcessDocument.live(
                    ID, "worker", "host", Duration.ofSeconds(30), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID));

    private GracefulShutdown shutdown(Runnable beat) {
        return new GracefulShutdown(
                heartbeat, Loop.start("heartbeat", new SystemTime(), Duration.ofHours(1), beat), stop);
    }

    /** Simulates a call to a frozen Elasticsearch without a timeout: blocks until the test opens {@code never}. */
    private void hang() {
        hanging.countDown();
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
    void hands_over_work_that_does_not_end_in_time() {
        shutdown(() -> {}).within(NONE, LONG, new CountDownLatch(1));

        assertThat(stop.isRequested()).isTrue();
        assertThat(stored()).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void leaves_the_last_heartbeat_to_work_that_ends_in_time() {
        shutdown(() -> {}).within(LONG, LONG, new CountDownLatch(0));

        assertThat(stop.isRequested()).isTrue();
        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void returns_although_the_store_hangs() throws InterruptedException {
        GracefulShutdown shutdown = shutdown(() -> {});
        calls.interfere(Interference.before("processes.write", 1, this::hang));

        shutdown.within(NONE, NONE, new CountDownLatch(1));

        hanging.await();
        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void returns_although_the_heartbeat_hangs() throws InterruptedException {
        GracefulShutdown shutdown = shutdown(this::hang);
        hanging.await();

        shutdown.within(NONE, NONE, new CountDownLatch(1));

        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    /** The work ends in time, but Elasticsearch does not answer the last heartbeat. */
    @Test
    void returns_although_the_last_heartbeat_hangs_and_sends_it_once() throws InterruptedException {
        GracefulShutdown shutdown = shutdown(() -> {});
        calls.interfere(Interference.before("processes.write", 1, this::hang));
        CountDownLatch ended = new CountDownLatch(1);
        Thread working = Thread.ofPlatform().daemon().start(() -> {
            shutdown.endHeartbeat();
            ended.countDown();
        });
        hanging.await();

        shutdown.within(NONE, NONE, ended);
        never.countDown();
        working.join();
        shutdown.endHeartbeat();

        assertThat(stored()).isEqualTo(ProcessState.STOPPED);
        assertThat(processes.read(ID).orElseThrow().value().heartbeat()).isEqualTo(1);
    }

    @Test
    void a_fenced_process_sends_no_last_heartbeat() {
        stop.abandon();

        shutdown(() -> {}).endHeartbeat();

        assertThat(stored()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void the_last_part_is_a_fifth_of_the_grace_period_and_at_least_half_a_second() {
        assertThat(GracefulShutdown.part(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(3));
        assertThat(GracefulShutdown.part(Duration.ZERO)).isEqualTo(Duration.ofMillis(500));
    }
}
