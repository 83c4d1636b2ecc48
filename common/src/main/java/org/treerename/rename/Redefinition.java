package org.treerename.rename;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.lock.LockStore;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;

/**
 * Whether the definition of a namespace may become another one. Processes keep what they have read of it, an open rename
 * has commits under it, and lock tables have its paths, so there may be none of these. Any thread may call it.
 */
public record Redefinition(ProcessStore processes, Journal journal, LockStore locks) {

    /** States of entries that locks or documents are yet to follow. */
    private static final Set<State> OPEN = EnumSet.complementOf(EnumSet.of(State.RETRY, State.CLOSED));

    /**
     * Comes back if it may.
     *
     * @throws IllegalStateException if it may not, and why
     */
    public void requireQuiet(String namespace) {
        List<ProcessId> live = processes.ids(ProcessState.LIVE);
        if (!live.isEmpty()) {
            throw new IllegalStateException("expected no worker, no janitor and no writer to run, found " + live
                    + "; stop them, and where one has died let a janitor see that, and stop it");
        }
        Optional<JournalEntry> open = journal.in(OPEN).stream()
                .flatMap(requestId -> journal.read(requestId).stream())
                .map(found -> found.value())
                .filter(entry -> entry.isIn(namespace) && OPEN.contains(entry.state()))
                .findFirst();
        if (open.isPresent()) {
            throw new IllegalStateException("expected no rename and no writer of " + namespace
                    + " to be open, found request " + open.get().requestId() + ", which is "
                    + open.get().state());
        }
        requireNoLocks(namespace);
    }

    /** A table keeps the notation of its paths, so what is left in it would not be comparable with paths of another notation. */
    private void requireNoLocks(String namespace) {
        locks.each(table -> {
            if (table.id().namespace().equals(namespace) && !table.isEmpty()) {
                throw new IllegalStateException(
                        "expected no locks of " + namespace + ", found "
                                + table.holds().size() + " holds and "
                                + table.claims().size() + " claims in " + table.id()
                                + "; start a janitor, wait for its next sweep, which removes dead holds and claims, and stop it");
            }
        });
    }
}
