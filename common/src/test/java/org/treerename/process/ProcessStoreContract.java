package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The tests that every {@link ProcessStore} must pass. */
public abstract class ProcessStoreContract {

    private static final int MORE_THAN_A_PAGE = 1_001;

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
    void a_created_document_is_read_at_once_in_the_version_that_the_write_returned() {
        Version version = created();

        assertThat(processes().read(live.id())).contains(new Versioned<>(live, version));
    }

    @Test
    void reads_several_documents_and_leaves_out_processes_without_a_document() {
        Version version = created();

        assertThat(processes().read(List.of(ProcessId.create("worker"), live.id())))
                .containsExactly(new Versioned<>(live, version));
        assertThat(processes().read(List.of())).isEmpty();
    }

    @Test
    void a_process_id_is_used_once() {
        Version version = created();

        assertThat(processes().create(live.nextHeartbeat(0))).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().read(live.id())).contains(new Versioned<>(live, version));
    }

    @Test
    void returns_each_stored_state_and_heartbeat() {
        Version first = created();
        ProcessDocument beaten = live.nextHeartbeat(0);
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

        WriteResult late = processes().write(live.nextHeartbeat(0), first);

        assertThat(late).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().read(live.id()).map(found -> found.value().state()))
                .contains(ProcessState.FENCED);
    }

    @Test
    void a_search_for_a_state_finds_the_processes_in_it_and_in_no_other() {
        Version first = created();
        assertFoundIn(ProcessState.LIVE);

        Version second = ((WriteResult.Written) processes().write(live.in(ProcessState.FENCED), first)).version();
        assertFoundIn(ProcessState.FENCED);

        processes().write(live.in(ProcessState.STOPPED), second);
        assertFoundIn(ProcessState.STOPPED);
    }

    /** Checks only the process of this test, because the store may be shared with other tests. */
    private void assertFoundIn(ProcessState expected) {
        for (ProcessState state : ProcessState.values()) {
            assertThat(processes().ids(state).stream().filter(live.id()::equals))
                    .describedAs("processes of this test that are %s", state)
                    .hasSize(state == expected ? 1 : 0);
        }
    }

    @Test
    void a_search_finds_more_processes_than_one_page_holds() {
        Set<ProcessId> ids = new HashSet<>();
        for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
            ProcessId id = ProcessId.create("worker");
            ids.add(id);
            processes()
                    .create(ProcessDocument.live(id, "worker", "host", live.lease(), live.startedAt(), "uuid")
                            .in(ProcessState.STOPPED));
        }

        List<ProcessId> found = processes().ids(ProcessState.STOPPED);

        assertThat(found).containsAll(ids).doesNotHaveDuplicates();
    }

    @Test
    void a_document_is_deleted_in_the_version_that_was_seen_and_in_no_other() {
        Version first = created();
        Version second = ((WriteResult.Written) processes().write(live.nextHeartbeat(0), first)).version();

        WriteResult late = processes().delete(live.id(), first);
        boolean there = processes().read(live.id()).isPresent();
        WriteResult deleted = processes().delete(live.id(), second);

        assertThat(late).isEqualTo(new WriteResult.Conflict());
        assertThat(there).isTrue();
        assertThat(deleted).isInstanceOf(WriteResult.Written.class);
        assertThat(processes().read(live.id())).isEmpty();
        assertThat(processes().ids(ProcessState.LIVE)).doesNotContain(live.id());
    }

    @Test
    void deletes_no_missing_document() {
        WriteResult never = processes().delete(live.id(), new Version(0, 1));
        Version version = created();
        processes().delete(live.id(), version);

        assertThat(never).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().delete(live.id(), version)).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().write(live.nextHeartbeat(0), version)).isEqualTo(new WriteResult.Conflict());
        assertThat(processes().read(live.id())).isEmpty();
    }

    @Test
    void the_uuid_of_the_control_index_does_not_change() {
        assertThat(processes().controlIndexUuid())
                .isNotBlank()
                .isEqualTo(processes().controlIndexUuid());
    }
}
