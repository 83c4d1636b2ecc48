package org.treerename.janitor.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.overview.Entries;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.overview.ProcessSeen;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class ProcessWatchTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final ProcessWatch watch = new ProcessWatch(processes, new InMemoryJournalSearch(journal), time);

    private void start(String id) {
        processes.create(ProcessDocument.live(new ProcessId(id), "worker", "host", LEASE, time.now(), "uuid"));
    }

    private void beat(String id) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().nextHeartbeat(0), found.version());
    }

    private void change(String id, ProcessState state) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().in(state), found.version());
    }

    private ProcessSeen only(List<ProcessSeen> seen) {
        assertThat(seen).hasSize(1);
        return seen.getFirst();
    }

    @Test
    void one_read_cannot_show_whether_a_process_sends_heartbeats() {
        start("worker-1");

        ProcessSeen seen = only(watch.poll());

        assertThat(seen.sign()).isEqualTo(Sign.UNSURE);
        assertThat(seen.still()).isZero();
    }

    @Test
    void a_process_is_beating_until_its_heartbeat_has_not_moved_for_a_lease() {
        start("worker-1");
        watch.poll();
        time.advance(Duration.ofSeconds(5));
        beat("worker-1");
        watch.poll();

        time.advance(LEASE.minusMillis(1));
        ProcessSeen before = only(watch.poll());
        time.advance(Duration.ofMillis(1));
        ProcessSeen after = only(watch.poll());

        assertThat(before.sign()).isEqualTo(Sign.BEATING);
        assertThat(before.still()).isEqualTo(LEASE.minusMillis(1));
        assertThat(after.sign()).isEqualTo(Sign.SILENT);
    }

    @Test
    void a_process_without_a_new_heartbeat_is_unsure_until_its_lease_has_passed() {
        start("worker-1");
        watch.poll();

        time.advance(LEASE.minusMillis(1));
        assertThat(only(watch.poll()).sign()).isEqualTo(Sign.UNSURE);
        time.advance(Duration.ofMillis(1));
        assertThat(only(watch.poll()).sign()).isEqualTo(Sign.SILENT);
    }

    @Test
    void fenced_and_stopped_processes_have_ended_and_are_listed_after_the_live_ones() {
        start("stopped");
        change("stopped", ProcessState.STOPPED);
        start("fenced");
        change("fenced", ProcessState.FENCED);
        start("old");
        time.advance(Duration.ofSeconds(1));
        start("young");

        assertThat(watch.poll())
                .extracting(seen -> seen.document().id().text() + " " + seen.sign())
                .containsExactly("young UNSURE", "old UNSURE", "fenced ENDED", "stopped ENDED");
    }

    @Test
    void counts_the_open_renames_of_each_process() {
        start("worker-1");
        start("worker-2");
        journal.create(JournalStep.ATTEMPT, Entries.rename("r1", "files", "/a", State.MOVING, 1));
        journal.create(JournalStep.ATTEMPT, Entries.rename("r2", "files", "/b", State.CLOSED, 1));

        assertThat(watch.poll())
                .extracting(seen -> seen.document().id().text() + " " + seen.ownedRenames())
                .containsExactlyInAnyOrder("worker-1 1", "worker-2 0");
    }

    @Test
    void watch_ends_when_each_heartbeat_has_moved() {
        start("worker-1");
        start("worker-2");
        time.plan(Duration.ofSeconds(2), () -> beat("worker-1"));
        time.plan(Duration.ofSeconds(4), () -> beat("worker-2"));
        long begun = time.nanos();

        List<ProcessSeen> seen = watch.watch(Duration.ofSeconds(20));

        assertThat(seen).extracting(ProcessSeen::sign).containsOnly(Sign.BEATING);
        assertThat(Duration.ofNanos(time.nanos() - begun)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
    }

    @Test
    void watch_ends_when_its_time_is_over() {
        start("worker-1");
        long begun = time.nanos();

        List<ProcessSeen> seen = watch.watch(Duration.ofSeconds(10));

        assertThat(only(seen).sign()).isEqualTo(Sign.UNSURE);
        assertThat(Duration.ofNanos(time.nanos() - begun)).isEqualTo(Duration.ofSeconds(10));
    }
}
