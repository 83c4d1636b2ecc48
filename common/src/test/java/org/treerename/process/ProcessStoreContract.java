package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** What every store of process documents keeps. */
public abstract class ProcessStoreContract {

    private final ProcessDocument live = ProcessDocument.live(
            ProcessId.create("worker"),
            "worker",
            "host-1",
            Duration.ofMillis(30_001),
            Instant.parse("2026-03-01T10:00:00.123456Z"),
            "uuid");

    protected abstract ProcessStore processes();

    private Version created() {
        return ((WriteResult.Written) processes().create(live)).version();
    }

    @Test
    void a_process_that_never_began_has_no_document() {
        assertThat(processes().read(live.id())).isEmpty();
    }

    @Test
    void a_created_document_is_read_at_once_in_the_version_that_the_write_told() {
        Version version = created();

        assertThat(processes().read(live.id())).contains(new Versioned<>(live, version));
    }

    @Test
    void a_process_id_is_used_once() {
        Version version = created();

        assertThat(processes().create(live.nextHeartbeat())).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().read(live.id())).contains(new Versioned<>(live, version));
    }

    @Test
    void each_state_and_heartbeat_comes_back() {
        Version first = created();
        ProcessDocument beaten = live.nextHeartbeat();
        Version second = ((WriteResult.Written) processes().write(beaten, first)).version();
        Versioned<ProcessDocument> afterBeat = processes().read(live.id()).orElseThrow();
        ProcessDocument fenced = beaten.in(ProcessState.FENCED);
        Version third = ((WriteResult.Written) processes().write(fenced, second)).version();

        assertThat(afterBeat).isEqualTo(new Versioned<>(beaten, second));
        assertThat(processes().read(live.id())).contains(new Versioned<>(fenced, third));
    }

    @Test
    void of_a_heartbeat_and_a_fence_on_the_same_version_one_wins() {
        Version first = created();
        processes().write(live.in(ProcessState.FENCED), first);

        WriteResult late = processes().write(live.nextHeartbeat(), first);

        assertThat(late).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().read(live.id()).map(found -> found.value().state()))
                .contains(ProcessState.FENCED);
    }

    @Test
    void the_control_index_has_a_uuid_that_stays() {
        assertThat(processes().controlIndexUuid())
                .isNotBlank()
                .isEqualTo(processes().controlIndexUuid());
    }
}
