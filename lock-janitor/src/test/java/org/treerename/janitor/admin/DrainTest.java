package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.overview.Entries;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class DrainTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final Drain standstill = new Drain(processes, new InMemoryJournalSearch(journal), time);
    private final List<String> reported = new ArrayList<>();

    private void start(String id, String service) {
        processes.create(
                ProcessDocument.live(new ProcessId(id), service, "host", Duration.ofSeconds(30), time.now(), "uuid"));
    }

    private void beat(String id) {
        beat(id, 0);
    }

    private void beat(String id, int running) {
        var found = processes.read(new ProcessId(id)).orElseThrow();
        processes.write(found.value().nextHeartbeat(running), found.version());
    }

    private void delete(JournalEntry entry) {
        journal.delete(List.of(journal.read(entry.requestId()).orElseThrow()));
    }

    private boolean await(int seconds) {
        return standstill.await(Duration.ofSeconds(seconds), reported::add);
    }

    @Test
    void returns_at_once_if_no_worker_is_live() {
        start("janitor-1", "janitor");

        assertThat(await(5)).isTrue();
        assertThat(reported).isEmpty();
    }

    @Test
    void a_worker_has_noticed_the_pause_after_two_heartbeats() {
        start("worker-1", "worker");
        time.plan(Duration.ofSeconds(10), () -> beat("worker-1"));

        assertThat(await(60)).isFalse();

        beat("worker-1");
        time.plan(Duration.ofSeconds(10), () -> beat("worker-1"));
        time.plan(Duration.ofSeconds(20), () -> beat("worker-1"));
        assertThat(await(60)).isTrue();
        assertThat(reported).containsOnly("1 process has not detected the pause yet");
    }

    @Test
    void does_not_wait_for_workers_that_end_or_start_later() {
        start("worker-1", "worker");
        time.plan(Duration.ofSeconds(5), () -> {
            var found = processes.read(new ProcessId("worker-1")).orElseThrow();
            processes.write(found.value().in(ProcessState.STOPPED), found.version());
            start("worker-2", "worker");
        });

        assertThat(await(60)).isTrue();
    }

    @Test
    void waits_for_running_renames_and_not_for_parked_renames_and_writers() {
        JournalEntry moving = Entries.rename("r1", "files", "/a", State.MOVING, 1);
        journal.create(JournalStep.ATTEMPT, moving);
        journal.create(JournalStep.ATTEMPT, Entries.rename("r2", "files", "/b", State.PARKED, 1));
        journal.create(JournalStep.ATTEMPT, Entries.writer("w1", new WriteTarget("files", List.of("/c")), 1));
        assertThat(await(30)).isFalse();

        time.plan(Duration.ofSeconds(10), () -> delete(moving));

        assertThat(await(30)).isTrue();
        assertThat(reported).containsOnly("1 rename is in progress");
    }

    @Test
    void waits_for_a_request_that_has_begun_and_has_no_entry_yet() {
        start("worker-1", "worker");
        time.plan(Duration.ofSeconds(1), () -> beat("worker-1", 1));
        time.plan(Duration.ofSeconds(2), () -> beat("worker-1", 1));
        assertThat(await(60)).isFalse();

        time.plan(Duration.ofSeconds(1), () -> beat("worker-1", 1));
        time.plan(Duration.ofSeconds(2), () -> beat("worker-1", 1));
        time.plan(Duration.ofSeconds(20), () -> beat("worker-1"));

        assertThat(await(60)).isTrue();
        assertThat(reported)
                .containsSubsequence("1 process has not detected the pause yet", "1 process has requests in progress");
    }

    @Test
    void finds_a_rename_that_began_just_before_at_the_second_read() {
        JournalEntry late = Entries.rename("r1", "files", "/a", State.PREPARED, 1);
        time.plan(Duration.ofSeconds(1), () -> journal.create(JournalStep.ATTEMPT, late));

        assertThat(await(30)).isFalse();
        assertThat(reported).containsExactly("1 rename is in progress");
    }
}
