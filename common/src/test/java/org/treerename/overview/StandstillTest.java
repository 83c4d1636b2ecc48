package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.rename.WriteTarget;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class StandstillTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final Standstill standstill = new Standstill(processes, new InMemoryJournalSearch(journal), time);
    private final List<String> told = new ArrayList<>();

    private void begins(String id, String service) {
        processes.create(
                ProcessDocument.live(new ProcessId(id), service, "host", Duration.ofSeconds(30), time.now(), "uuid"));
    }

    private void beats(String id) {
        beats(id, 0);
    }

    private void beats(String id, int running) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().nextHeartbeat(running), found.version());
    }

    private void closes(JournalEntry entry) {
        journal.delete(List.of(journal.read(entry.requestId()).orElseThrow()));
    }

    private boolean await(int seconds) {
        return standstill.await(Duration.ofSeconds(seconds), told::add);
    }

    @Test
    void where_nobody_works_it_is_there() {
        begins("janitor-1", "janitor");

        assertThat(await(5)).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void a_worker_has_noticed_when_its_heartbeat_was_raised_twice() {
        begins("worker-1", "worker");
        time.plan(Duration.ofSeconds(10), () -> beats("worker-1"));

        assertThat(await(60)).isFalse();

        beats("worker-1");
        time.plan(Duration.ofSeconds(10), () -> beats("worker-1"));
        time.plan(Duration.ofSeconds(20), () -> beats("worker-1"));
        assertThat(await(60)).isTrue();
        assertThat(told).containsOnly("1 worker has to notice the pause");
    }

    @Test
    void one_that_has_ended_or_begins_later_need_not_notice() {
        begins("worker-1", "worker");
        time.plan(Duration.ofSeconds(5), () -> {
            var found = processes.read(new ProcessId("worker-1")).orElseThrow();
            processes.write(found.value().in(ProcessState.STOPPED), found.version());
            begins("worker-2", "worker");
        });

        assertThat(await(60)).isTrue();
    }

    @Test
    void what_runs_is_waited_for_and_what_is_parked_or_held_by_a_writer_is_not() {
        JournalEntry moving = Entries.rename("r1", "files", "/a", State.MOVING, 1);
        journal.create(moving);
        journal.create(Entries.rename("r2", "files", "/b", State.PARKED, 1));
        journal.create(Entries.writer("w1", new WriteTarget("files", List.of("/c")), 1));
        assertThat(await(30)).isFalse();

        time.plan(Duration.ofSeconds(10), () -> closes(moving));

        assertThat(await(30)).isTrue();
        assertThat(told).containsOnly("1 rename is open");
    }

    @Test
    void waits_for_a_request_that_has_begun_and_has_no_entry_yet() {
        begins("worker-1", "worker");
        time.plan(Duration.ofSeconds(1), () -> beats("worker-1", 1));
        time.plan(Duration.ofSeconds(2), () -> beats("worker-1", 1));
        assertThat(await(60)).isFalse();

        time.plan(Duration.ofSeconds(1), () -> beats("worker-1", 1));
        time.plan(Duration.ofSeconds(2), () -> beats("worker-1", 1));
        time.plan(Duration.ofSeconds(20), () -> beats("worker-1"));

        assertThat(await(60)).isTrue();
        assertThat(told).containsSubsequence("1 worker has to notice the pause", "1 worker carries requests");
    }

    @Test
    void what_a_worker_had_just_begun_is_seen_at_the_second_look() {
        JournalEntry late = Entries.rename("r1", "files", "/a", State.PREPARED, 1);
        time.plan(Duration.ofSeconds(1), () -> journal.create(late));

        assertThat(await(30)).isFalse();
        assertThat(told).containsExactly("1 rename is open");
    }
}
