package org.treerename.janitor.admin;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockStore;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;

/**
 * Checks whether the definition of a namespace may be changed. Processes cache the definition. The commit of an open
 * rename depends on the definition. Lock tables contain paths in the notation of the definition. So the definition may
 * only be changed if no process is live, and if the namespace has no open rename and no lock.
 */
public record Redefinition(ProcessStore processes, Journal journal, LockStore locks) {

    /** The states of journal entries whose renames may still change locks or documents. */
    private static final Set<State> OPEN = EnumSet.complementOf(EnumSet.of(State.RETRY, State.CLOSED));

    /**
     * Returns normally if the definition may be changed.
     *
     * @throws IllegalStateException if the definition must not be changed; the message contains the reason
     */
    public void requireQuiet(String namespace) {
        List<ProcessId> live = processes.ids(ProcessState.LIVE);
        if (!live.isEmpty()) {
            throw new IllegalStateException("expected no worker, no janitor and no writer to run, found " + live
                    + "; stop these processes. If a process has died, run a janitor until the janitor has"
                    + " fenced the dead process. Then stop the janitor");
        }
        Optional<JournalEntry> open = journal.in(OPEN).stream()
                .flatMap(requestId -> journal.read(requestId).stream())
                .map(found -> found.value())
                .filter(entry -> entry.namespace().equals(Optional.of(namespace)) && OPEN.contains(entry.state()))
                .findFirst();
        if (open.isPresent()) {
            throw new IllegalStateException("expected no open journal entry in the namespace " + namespace
                    + ", found request " + open.get().requestId() + " in state "
                    + open.get().state() + "; run the workers and a janitor until this request has ended. Then stop"
                    + " the workers and the janitor");
        }
        requireNoLocks(namespace);
    }

    /** The paths in a table have the notation of the stored definition, and are comparable in no other notation. */
    private void requireNoLocks(String namespace) {
        locks.each(table -> {
            if (table.id().namespace().equals(namespace) && !table.isEmpty()) {
                throw new IllegalStateException("expected no locks in the namespace " + namespace
                        + ", found locks (holds: " + table.holds().size() + ", claims: "
                        + table.claims().size() + ") in " + table.id()
                        + "; run a janitor until a sweep has removed these holds and claims. Then stop the janitor");
            }
        });
    }
}
