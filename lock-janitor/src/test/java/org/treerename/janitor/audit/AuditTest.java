package org.treerename.janitor.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.janitor.audit.Audit.Stored;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;

class AuditTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private final Map<String, JournalEntry> entries = new HashMap<>();
    private final Map<ProcessId, ProcessDocument> processes = new HashMap<>();
    private final Map<String, LockSet> needed = new HashMap<>();

    private List<Finding> audit(LockTable... locks) {
        return Audit.of(new Stored(List.of(locks), List.of(), entries, processes, needed), NOW);
    }

    private void entry(State state, @Nullable String holdId) {
        JournalEntry prepared = JournalEntry.prepared(A_TO_B, new Ownership("worker-1", 1, holdId));
        entries.put(
                "r1",
                TestEntry.like(prepared)
                        .in(state)
                        .parking(new Parking("1 document cannot be moved", List.of("d1: 400")))
                        .build());
    }

    private void process(String id, ProcessState state, Instant startedAt) {
        ProcessId processId = new ProcessId(id);
        ProcessDocument live =
                ProcessDocument.live(processId, "worker", "host", Duration.ofSeconds(30), startedAt, "uuid");
        processes.put(processId, state == ProcessState.LIVE ? live : live.in(state));
    }

    private static final LockTable.Id OF_A = LockTable.Id.of("files", new TreePath("/a"));

    private static Held held(Hold hold, LockMode mode, String... paths) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>();
        for (String path : paths) {
            modes.put(new TreePath(path), mode);
        }
        return new Held(hold, modes);
    }

    private static LockTable locked(Held... holds) {
        TreeMap<String, Held> all = new TreeMap<>();
        for (Held held : holds) {
            all.put(held.hold().holdId(), held);
        }
        return new LockTable(OF_A, all, new TreeMap<>());
    }

    private static LockTable held() {
        return locked(held(new Hold("h1", "worker-1", A_TO_B.age()), LockMode.EXCLUSIVE, "/a"));
    }

    private static LockTable claimed() {
        Claim claim = new Claim(A_TO_B.age(), new TreeMap<>(Map.of(new TreePath("/a"), LockMode.SHARED)));
        return new LockTable(OF_A, new TreeMap<>(), new TreeMap<>(Map.of("r1", claim)));
    }

    private static Finding deadHold(String why) {
        return new Finding(
                Kind.HOLD,
                "/a in files is held exclusively under hold id h1 by request r1 of process worker-1; " + why,
                "files /a r1");
    }

    @Test
    void finds_nothing_in_empty_stores() {
        assertThat(audit()).isEmpty();
    }

    @Test
    void reports_no_finding_for_a_live_rename_with_its_locks() {
        process("worker-1", ProcessState.LIVE, NOW.minusSeconds(1));
        entry(State.MOVING, "h1");

        assertThat(audit(held())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"MOVING", "PARKED"})
    void finds_each_lock_that_a_decided_rename_does_not_hold(State state) {
        process("worker-1", ProcessState.LIVE, NOW.minusSeconds(1));
        entry(state, "h1");
        needed.put("r1", LockSet.tree("files", new TreePath("/a"), new TreePath("/b")));

        assertThat(audit(held()))
                .filteredOn(finding -> finding.kind().isLeak())
                .containsExactly(new Finding(
                        Kind.LOCK,
                        "request r1 (/a to /b) is " + state + ", but does not hold the lock on /b in files exclusively",
                        "files /b r1"));
        assertThat(audit()).filteredOn(finding -> finding.kind() == Kind.LOCK).hasSize(2);
    }

    @Test
    void reports_a_lock_that_is_held_as_shared_and_needed_exclusively() {
        process("worker-1", ProcessState.LIVE, NOW.minusSeconds(1));
        entry(State.MOVING, "h1");
        needed.put("r1", new LockSet("files", new TreeMap<>(Map.of(new TreePath("/a"), LockMode.EXCLUSIVE))));
        Held shared = held(new Hold("h1", "worker-1", A_TO_B.age()), LockMode.SHARED, "/a");

        assertThat(audit(locked(shared))).extracting(Finding::kind).containsExactly(Kind.LOCK);
    }

    @Test
    void counts_no_lock_above_or_below_a_path_or_in_a_document_table_as_the_lock_of_the_path() {
        process("worker-1", ProcessState.LIVE, NOW.minusSeconds(1));
        entry(State.MOVING, "h1");
        needed.put("r1", new LockSet("files", new TreeMap<>(Map.of(new TreePath("/a/b"), LockMode.EXCLUSIVE))));
        Hold own = new Hold("h1", "worker-1", A_TO_B.age());
        LockTable ofDocument = new LockTable(
                new LockTable.Id("files", "/a/b", true),
                new TreeMap<>(Map.of("h1", held(own, LockMode.EXCLUSIVE, "/a/b"))),
                new TreeMap<>());

        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a", "/a/b/c")), ofDocument))
                .extracting(Finding::kind)
                .containsExactly(Kind.LOCK);
        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a/b")))).isEmpty();
    }

    @Test
    void finds_two_holds_that_exclude_each_other() {
        process("worker-1", ProcessState.LIVE, NOW.minusSeconds(1));
        entry(State.PREPARED, "h1");
        Hold own = new Hold("h1", "worker-1", A_TO_B.age());
        Hold earlier = new Hold("h0", "worker-1", A_TO_B.age());
        Hold other = new Hold("h2", "worker-1", new LockPriority(7, "r2"));

        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a", "/q"), held(other, LockMode.SHARED, "/a/b", "/r"))))
                .filteredOn(finding -> finding.kind() == Kind.LOCK_DOCUMENT)
                .containsExactly(new Finding(
                        Kind.LOCK_DOCUMENT,
                        "the lock table 02 in files: /a is held exclusively by request r1 and /a/b in shared"
                                + " mode by request r2"));
        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a/b"), held(other, LockMode.EXCLUSIVE, "/a"))))
                .filteredOn(finding -> finding.kind() == Kind.LOCK_DOCUMENT)
                .hasSize(1);
        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a/b"), held(other, LockMode.SHARED, "/a"))))
                .noneMatch(finding -> finding.kind() == Kind.LOCK_DOCUMENT);
        assertThat(audit(locked(held(own, LockMode.SHARED, "/a"), held(other, LockMode.SHARED, "/a"))))
                .noneMatch(finding -> finding.kind() == Kind.LOCK_DOCUMENT);
        assertThat(audit(locked(held(own, LockMode.EXCLUSIVE, "/a"), held(earlier, LockMode.EXCLUSIVE, "/a"))))
                .noneMatch(finding -> finding.kind() == Kind.LOCK_DOCUMENT);
    }

    @Test
    void reports_the_hold_of_a_writer_only_if_its_process_is_not_live() {
        WriteTarget writeTarget = new WriteTarget("files", List.of("/a", "/b/c"));
        ExternalWriter writer = new ExternalWriter("r1", writeTarget, NOW);
        entries.put("r1", writer.begun(new Ownership("writer-1", 1, "h1")));
        process("writer-1", ProcessState.LIVE, NOW.minusSeconds(1));
        List<Finding> ofLive = audit(held());
        process("writer-1", ProcessState.FENCED, NOW.minusSeconds(1));

        assertThat(ofLive).isEmpty();
        assertThat(audit(held()))
                .containsExactly(new Finding(
                        Kind.ENTRY,
                        "request r1 (of a writer into /a, /b/c in files) is HELD, and its process writer-1 is fenced"));
    }

    @Test
    void reports_a_hold_without_an_entry() {
        assertThat(audit(held())).containsExactly(deadHold("this request has no journal entry"));
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"PREPARED", "HELD", "MOVING", "PARKED"},
            mode = Mode.EXCLUDE)
    void reports_a_hold_whose_entry_may_not_hold_locks(State state) {
        process("worker-1", ProcessState.LIVE, NOW);
        entry(state, "h1");

        assertThat(audit(held())).containsExactly(deadHold("the journal entry of this request is " + state));
    }

    @Test
    void reports_a_hold_of_an_earlier_attempt() {
        process("worker-1", ProcessState.LIVE, NOW);
        entry(State.PREPARED, "h2");
        assertThat(audit(held()))
                .containsExactly(deadHold("the journal entry of this request is PREPARED with hold id h2"));

        entry(State.PREPARED, null);
        assertThat(audit(held()))
                .containsExactly(deadHold("the journal entry of this request is PREPARED without a hold id"));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void reports_a_claim_of_a_rename_that_has_ended_or_was_released(State state) {
        process("worker-1", ProcessState.LIVE, NOW);
        entry(state, null);

        List<Finding> expected = state.isFinal() || state == State.RETRY
                ? List.of(new Finding(
                        Kind.CLAIM,
                        "/a in files is claimed in shared mode by request r1; the journal entry of this request is "
                                + state,
                        "files /a r1"))
                : List.of();
        assertThat(audit(claimed()))
                .filteredOn(finding -> finding.kind().isLeak())
                .isEqualTo(expected);
    }

    @Test
    void reports_a_claim_without_an_entry() {
        assertThat(audit(claimed()))
                .containsExactly(new Finding(
                        Kind.CLAIM,
                        "/a in files is claimed in shared mode by request r1; this request has no journal entry",
                        "files /a r1"));
    }

    @Test
    void finds_a_stored_lock_document_that_contradicts_itself() {
        assertThat(Audit.of(new Stored(List.of(), List.of("hold_ids is []"), entries, processes, needed), NOW))
                .containsExactly(new Finding(Kind.LOCK_DOCUMENT, "hold_ids is []"));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void reports_a_rename_that_needs_an_owner_and_has_no_live_owner(State state) {
        entry(state, null);
        assertThat(audit())
                .filteredOn(finding -> finding.kind() == Kind.ENTRY)
                .isEqualTo(
                        state.needsOwner()
                                ? List.of(new Finding(
                                        Kind.ENTRY,
                                        "request r1 (/a to /b) is " + state
                                                + ", and its process worker-1 has no process document"))
                                : List.of());

        process("worker-1", ProcessState.FENCED, NOW);
        assertThat(audit()).filteredOn(finding -> finding.kind() == Kind.ENTRY).hasSize(state.needsOwner() ? 1 : 0);

        process("worker-1", ProcessState.LIVE, NOW);
        assertThat(audit()).filteredOn(finding -> finding.kind() == Kind.ENTRY).isEmpty();
    }

    @Test
    void reports_a_parked_rename_with_its_reason_and_not_as_a_leak() {
        entry(State.PARKED, "h1");

        List<Finding> findings = audit(held());

        assertThat(findings)
                .containsExactly(new Finding(
                        Kind.PARKED,
                        "request r1 (/a to /b) is PARKED and keeps its locks. Cause: 1 document cannot be moved,"
                                + " the first documents: d1: 400"));
        assertThat(findings).noneMatch(finding -> finding.kind().isLeak());
    }

    @Test
    void reports_an_old_ended_process_that_owns_nothing() {
        process("worker-1", ProcessState.STOPPED, NOW.minusSeconds(1));
        process("worker-2", ProcessState.FENCED, NOW);
        process("worker-3", ProcessState.LIVE, NOW.minusSeconds(1));

        assertThat(audit())
                .containsExactly(new Finding(
                        Kind.PROCESS,
                        "process worker-1 on host, started at 2026-03-01T09:59:59Z, is stopped"
                                + " and owns no open journal entry, but its process document is not deleted"));

        entry(State.MOVING, null);
        assertThat(audit()).extracting(Finding::kind).containsExactly(Kind.ENTRY);
    }
}
