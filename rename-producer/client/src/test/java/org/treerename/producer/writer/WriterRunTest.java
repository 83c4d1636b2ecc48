package org.treerename.producer.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.LockBooks;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;

@Timeout(60)
class WriterRunTest {

    private static final WriterSettings SETTINGS =
            WriterSettings.of("http://127.0.0.1:1").withLease(Duration.ofSeconds(20));

    private final AtomicLong ahead = new AtomicLong();
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final Calls calls = new Calls(Interference.none());

    /**
     * The simulated clocks. They advance only when a test changes {@link #ahead}. The pauses take real time, so that no
     * thread runs in a busy loop.
     */
    private final Time time = new Time() {
        private final Time real = new SystemTime();

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(ahead.get());
        }

        @Override
        public long nanos() {
            return ahead.get();
        }

        @Override
        public void pause(Duration length) {
            real.pause(length);
        }
    };

    private final WriterRun.Ground ground = new WriterRun.Ground(
            SETTINGS,
            LockBooks.of(new InMemoryNamespaces(), new InMemoryJournal(control, locks), locks),
            calls.around(ProcessStore.class, processes),
            time,
            task -> Thread.ofVirtual().start(task));

    @Test
    void does_not_use_a_process_whose_document_was_created_slowly() {
        Duration late = SETTINGS.lease().heartbeatEvery().plusNanos(1);
        calls.interfere(Interference.after("processes.create", 1, () -> ahead.addAndGet(late.toNanos())));

        WriterRun run = WriterRun.begin(ground, new StopSignal());

        assertThat(processes.ids(ProcessState.LIVE))
                .containsExactly(new ProcessId(run.context().processId()));
        assertThat(processes.ids(ProcessState.STOPPED)).hasSize(1);
        run.end(SETTINGS);
        assertThat(run.isOver()).isTrue();
        assertThat(processes.ids(ProcessState.STOPPED)).hasSize(2);
    }
}
