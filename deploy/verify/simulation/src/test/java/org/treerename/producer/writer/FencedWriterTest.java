package org.treerename.producer.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.OwnWrites;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.LockBooks;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.process.FaultyProcessStore;
import org.treerename.process.Heartbeat;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;

/** Tests a writer together with the janitor that fences it. */
class FencedWriterTest {

    private static final Lease LEASE = new Lease(Duration.ofSeconds(30));
    private static final ProcessId ID = new ProcessId("writer-1");
    private static final WriteTarget INTO_A = new WriteTarget("files", List.of("/a"));

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final Calls heartbeats = new Calls(Interference.none());
    private final StopSignal stop = new StopSignal();
    private final Incarnation incarnation = new Incarnation(
            Heartbeat.begin(
                    new FaultyProcessStore(processes, heartbeats),
                    ProcessDocument.live(
                            ID, "writer", "host", LEASE.length(), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID)),
            LEASE,
            time,
            stop,
            sentNanos -> {});
    private final ProcessContext context = new ProcessContext(
            ID.text(),
            time,
            new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(100))),
            Duration.ZERO,
            2,
            stop);
    private final WriterProcess process = new WriterProcess(
            new WriteLocks(LockBooks.of(namespaces(), journal, locks), context), context, Runnable::run);

    private static Namespaces namespaces() {
        Namespaces namespaces = new InMemoryNamespaces();
        namespaces.define(Namespace.ofFiles("files", "files"));
        return namespaces;
    }

    private WriteHold acquire() {
        return process.take(INTO_A, Duration.ofSeconds(10), stop.part());
    }

    private void loseHeartbeats() {
        heartbeats.interfere(new Interference() {
            @Override
            public void before(Call call) {
                throw new NoAnswerException("no answer", null);
            }
        });
    }

    @Test
    void reports_a_loss_before_another_process_can_fence_this_one() {
        OwnWrites ownWrites = new OwnWrites();
        DeathWatch watch = new DeathWatch(processes, time, ownWrites, LEASE);
        Duration step = LEASE.length().dividedBy(20);
        incarnation.beat();
        watch.poll();
        WriteHold hold = acquire();
        long begun = time.nanos();
        List<Duration> lostAfter = new ArrayList<>();
        hold.onLoss(() -> lostAfter.add(Duration.ofNanos(time.nanos() - begun)));
        loseHeartbeats();

        while (processes.read(ID).orElseThrow().value().state() == ProcessState.LIVE) {
            time.advance(step);
            ownWrites.acknowledged(time.nanos());
            incarnation.beat();
            process.watch();
            watch.poll();
        }

        Duration fencedAfter = Duration.ofNanos(time.nanos() - begun);
        assertThat(lostAfter)
                .singleElement()
                .satisfies(after -> assertThat(after)
                        .isGreaterThan(LEASE.doubtAfter())
                        .isLessThanOrEqualTo(LEASE.doubtAfter().plus(step)));
        assertThat(fencedAfter).isGreaterThanOrEqualTo(LEASE.length());
    }
}
