package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.process.Heartbeat;
import org.treerename.process.Heartbeat.BeatResult;
import org.treerename.process.Pause;
import org.treerename.process.PauseStore;
import org.treerename.process.PauseStoreContract;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.store.WriteResult;

class ElasticPauseStoreIT extends PauseStoreContract {

    private final ElasticPauseStore pauses = new ElasticPauseStore(RealElastic.CONTROL);
    private final List<Optional<Pause>> observed = new ArrayList<>();
    private final ElasticProcessStore processes = new ElasticProcessStore(RealElastic.CONTROL, observed::add);
    private final ProcessDocument document = ProcessDocument.live(
            ProcessId.create("worker"), "worker", "host", Duration.ofSeconds(30), PAUSE.since(), "uuid");

    @Override
    protected PauseStore pauses() {
        return pauses;
    }

    @Test
    void each_heartbeat_reports_the_pause_including_the_first_and_a_refused_one() {
        Heartbeat heartbeat = Heartbeat.begin(processes, document);
        pauses.create(PAUSE);
        BeatResult beat = heartbeat.beat();
        var found = processes.read(document.id()).orElseThrow();
        new ElasticProcessStore(RealElastic.CONTROL).write(found.value().in(ProcessState.FENCED), found.version());
        WriteResult refused = processes.write(document, found.version());
        end();
        processes.write(document, found.version());

        assertThat(beat).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(refused).isEqualTo(new WriteResult.Conflict());
        assertThat(observed)
                .containsExactly(Optional.empty(), Optional.of(PAUSE), Optional.of(PAUSE), Optional.empty());
    }
}
