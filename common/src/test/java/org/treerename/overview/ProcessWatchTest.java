package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.State;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class ProcessWatchTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final ProcessWatch watch = new ProcessWatch(processes, new InMemoryJournalSearch(journal), time);

    private void begins(String id) {
        processes.create(ProcessDocument.live(new ProcessId(id), "worker", "host", LEASE, time.now(), "uuid"));
    }

    private void beats(String id) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().nextHeartbeat(0), found.version());
    }

    private void becomes(String id, ProcessState state) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().in(state), found.version());
    }

    private ProcessSeen only(List<ProcessSeen> seen) {
        assertThat(seen).hasSize(1);
        return seen.getFirst();
    }

    @Test
    void one_look_shows_nothing_of_a_heartbeat() {
        begins("worker-1");

        ProcessSeen seen = only(watch.look());

        assertThat(seen.sign()).isEqualTo(Sign.UNSURE);
        assertThat(seen.still()).isZero();
    }

    @Test
    void one_that_moves_beats_until_it_has_stood_still_for_its_lease() {
        begins("worker-1");
        watch.look();
        time.advance(Duration.ofSeconds(5));
        beats("worker-1");
        watch.look();

        time.advance(LEASE.minusMillis(1));
        ProcessSeen before = only(watch.look());
        time.advance(Duration.ofMillis(1));
        ProcessSeen after = only(watch.look());

        assertThat(before.sign()).isEqualTo(Sign.BEATING);
        assertThat(before.still()).isEqualTo(LEASE.minusMillis(1));
        assertThat(after.sign()).isEqualTo(Sign.SILENT);
    }

    @Test
    void one_that_stands_still_is_unsure_until_its_lease_has_passed() {
        begins("worker-1");
        watch.look();

        time.advance(LEASE.minusMillis(1));
        assertThat(only(watch.look()).sign()).isEqualTo(Sign.UNSURE);
        time.advance(Duration.ofMillis(1));
        assertThat(only(watch.look()).sign()).isEqualTo(Sign.SILENT);
    }

    @Test
    void one_that_is_fenced_or_has_stopped_has_ended_and_is_told_behind_those_that_live() {
        begins("stopped");
        becomes("stopped", ProcessState.STOPPED);
        begins("fenced");
        becomes("fenced", ProcessState.FENCED);
        begins("old");
        time.advance(Duration.ofSeconds(1));
        begins("young");

        assertThat(watch.look())
                .extracting(seen -> seen.document().id().text() + " " + seen.sign())
                .containsExactly("young UNSURE", "old UNSURE", "fenced ENDED", "stopped ENDED");
    }

    @Test
    void what_each_carries_is_counted() {
        begins("worker-1");
        begins("worker-2");
        journal.create(Entries.rename("r1", "files", "/a", State.MOVING, 1));
        journal.create(Entries.rename("r2", "files", "/b", State.CLOSED, 1));

        assertThat(watch.look())
                .extracting(seen -> seen.document().id().text() + " " + seen.carries())
                .containsExactlyInAnyOrder("worker-1 1", "worker-2 0");
    }

    @Test
    void watching_ends_when_each_was_seen_to_move() {
        begins("worker-1");
        begins("worker-2");
        time.plan(Duration.ofSeconds(2), () -> beats("worker-1"));
        time.plan(Duration.ofSeconds(4), () -> beats("worker-2"));
        long begun = time.nanos();

        List<ProcessSeen> seen = watch.watch(Duration.ofSeconds(20));

        assertThat(seen).extracting(ProcessSeen::sign).containsOnly(Sign.BEATING);
        assertThat(Duration.ofNanos(time.nanos() - begun)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
    }

    @Test
    void watching_ends_when_its_time_is_over() {
        begins("worker-1");
        long begun = time.nanos();

        List<ProcessSeen> seen = watch.watch(Duration.ofSeconds(10));

        assertThat(only(seen).sign()).isEqualTo(Sign.UNSURE);
        assertThat(Duration.ofNanos(time.nanos() - begun)).isEqualTo(Duration.ofSeconds(10));
    }
}
