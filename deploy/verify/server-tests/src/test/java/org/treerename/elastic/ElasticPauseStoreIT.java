package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.process.Heartbeat;
import org.treerename.process.Heartbeat.Standing;
import org.treerename.process.Pause;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

class ElasticPauseStoreIT {

    private static final Pause PAUSE = new Pause(Instant.parse("2026-03-01T10:00:00.123Z"), "me, for \"a restore\"");

    private final ElasticPauseStore pauses = new ElasticPauseStore(RealElastic.CONTROL);
    private final List<Optional<Pause>> observed = new ArrayList<>();
    private final ElasticProcessStore processes = new ElasticProcessStore(RealElastic.CONTROL, observed::add);
    private final ProcessDocument document = ProcessDocument.live(
            ProcessId.create("worker"), "worker", "host", Duration.ofSeconds(30), PAUSE.since(), "uuid");

    @AfterEach
    void end() {
        pauses.read().ifPresent(stored -> pauses.delete(stored.version()));
    }

    @Test
    void stores_one_pause_until_it_is_deleted_in_the_version_that_was_read() {
        assertThat(pauses.read()).isEmpty();

        WriteResult.Written written = (WriteResult.Written) pauses.create(PAUSE);
        assertThat(pauses.read()).contains(new Versioned<>(PAUSE, written.version()));
        assertThat(pauses.create(new Pause(Instant.EPOCH, "another"))).isEqualTo(new WriteResult.Conflict());
        assertThat(pauses.read()).contains(new Versioned<>(PAUSE, written.version()));

        assertThat(pauses.delete(written.version())).isInstanceOf(WriteResult.Written.class);
        assertThat(pauses.read()).isEmpty();
        assertThat(pauses.delete(written.version())).isEqualTo(new WriteResult.Conflict());
    }

    @Test
    void each_heartbeat_reports_the_pause_including_the_first_and_a_refused_one() {
        Heartbeat heartbeat = Heartbeat.begin(processes, document);
        pauses.create(PAUSE);
        Standing beat = heartbeat.beat();
        var found = processes.read(document.id()).orElseThrow();
        new ElasticProcessStore(RealElastic.CONTROL).write(found.value().in(ProcessState.FENCED), found.version());
        WriteResult refused = processes.write(document, found.version());
        end();
        processes.write(document, found.version());

        assertThat(beat).isEqualTo(Standing.ACKNOWLEDGED);
        assertThat(refused).isEqualTo(new WriteResult.Conflict());
        assertThat(observed)
                .containsExactly(Optional.empty(), Optional.of(PAUSE), Optional.of(PAUSE), Optional.empty());
    }
}
