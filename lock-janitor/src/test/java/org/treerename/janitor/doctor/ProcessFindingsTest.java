package org.treerename.janitor.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.process.ProcessWatch;
import org.treerename.journal.InMemoryJournal;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.Time;
import org.treerename.store.InMemoryControlIndex;

class ProcessFindingsTest {

    private static final Finding NO_WORKER =
            Finding.warning("processes", "no worker is live, so requests wait in Kafka", "start a worker");
    private static final Finding NO_JANITOR = Finding.warning(
            "processes", "no janitor is live, so the renames of dead processes keep their locks", "start a janitor");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));

    private void start(String service) {
        processes.create(ProcessDocument.live(
                new ProcessId(service + "-1"), service, "host", Duration.ofSeconds(30), time.now(), "uuid"));
    }

    private void beat(String service) {
        processes
                .read(new ProcessId(service + "-1"))
                .ifPresent(found -> processes.write(found.value().nextHeartbeat(0), found.version()));
    }

    /** Returns a watch during which the processes of these services send heartbeats. */
    private ProcessWatch watch(String... beating) {
        Time observed = new Time() {
            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public void pause(Duration length) {
                time.advance(length);
                for (String service : beating) {
                    beat(service);
                }
            }
        };
        return new ProcessWatch(processes, new InMemoryJournalSearch(journal), observed);
    }

    @Test
    void names_each_service_without_a_process() {
        assertThat(ProcessFindings.of(watch())).containsExactly(NO_WORKER, NO_JANITOR);

        start("worker");
        assertThat(ProcessFindings.of(watch("worker"))).containsExactly(NO_JANITOR);
    }

    @Test
    void a_document_without_heartbeats_is_no_live_process() {
        start("worker");
        start("janitor");

        assertThat(ProcessFindings.of(watch("janitor"))).containsExactly(NO_WORKER);
    }

    @Test
    void reports_the_live_processes() {
        start("worker");
        start("janitor");

        assertThat(ProcessFindings.of(watch("worker", "janitor")))
                .containsExactly(Finding.ok("processes", "live workers: 1, live janitors: 1"));
    }
}
