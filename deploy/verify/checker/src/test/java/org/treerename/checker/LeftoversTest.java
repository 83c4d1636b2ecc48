package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeftoversTest {

    private static final LockDump NO_LOCKS = new LockDump(List.of(), List.of());
    private static final JournalDump NO_ENTRIES = new JournalDump(List.of());

    private static JournalDump entryIn(String state) {
        return new JournalDump(List.of(new JournalDump.Entry(
                "r1",
                state,
                "worker-1",
                "h1",
                "files",
                "/a",
                "/b",
                false,
                0,
                null,
                null,
                new JournalDump.Delivery(0, 0),
                null,
                null,
                null,
                null,
                null,
                null)));
    }

    @Test
    void closed_entries_and_released_locks_are_no_leftovers() {
        assertThat(Leftovers.of(NO_LOCKS, entryIn("closed")).isNone()).isTrue();
    }

    @Test
    void reports_a_remaining_hold() {
        LockDump locks =
                new LockDump(List.of(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1")), List.of());

        assertThat(Leftovers.of(locks, NO_ENTRIES).found())
                .containsExactly("hold: /a of files is held (exclusive) by request r1 of process worker-1, hold id h1");
    }

    @Test
    void reports_a_remaining_claim() {
        LockDump locks = new LockDump(List.of(), List.of(new LockDump.Claim("files", "/a", "shared", "r1")));

        assertThat(Leftovers.of(locks, NO_ENTRIES).found())
                .containsExactly("claim: /a of files is claimed (shared) by request r1");
    }

    @Test
    void reports_an_open_journal_entry() {
        assertThat(Leftovers.of(NO_LOCKS, entryIn("done")).found())
                .containsExactly("entry: request r1 (/a to /b) is done, owned by worker-1");
    }

    @Test
    void ignores_leftovers_in_other_namespaces() {
        LockDump locks = new LockDump(
                List.of(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1")),
                List.of(new LockDump.Claim("files", "/a", "shared", "r1")));

        assertThat(Leftovers.of(locks.in(Set.of("others")), entryIn("done").in(Set.of("others"))))
                .isEqualTo(new Leftovers(List.of()));
        assertThat(Leftovers.of(
                                locks.in(Set.of("others", "files")),
                                entryIn("done").in(Set.of("files")))
                        .found())
                .hasSize(3);
    }
}
