package org.treerename.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The holds, claims and unfinished renames that must not exist at the end of a run.
 *
 * @param found one text for each hold, claim and unfinished rename
 */
public record Leftovers(List<String> found) {

    public Leftovers {
        found = List.copyOf(found);
    }

    public static Leftovers read(ElasticsearchHttp http) {
        return of(LockDump.read(http), JournalDump.read(http));
    }

    /** Reads the locks and the journal, and returns the leftovers of these namespaces. */
    public static Leftovers read(ElasticsearchHttp http, Set<String> namespaces) {
        return of(LockDump.read(http).in(namespaces), JournalDump.read(http).in(namespaces));
    }

    public static Leftovers of(LockDump locks, JournalDump journal) {
        List<String> found = new ArrayList<>();
        for (LockDump.Hold hold : locks.holds()) {
            found.add("hold: " + hold.path() + " of " + hold.namespace() + " is held (" + hold.mode() + ") by request "
                    + hold.requestId() + " of process " + hold.processId() + ", hold id " + hold.holdId());
        }
        for (LockDump.Claim claim : locks.claims()) {
            found.add("claim: " + claim.path() + " of " + claim.namespace() + " is claimed (" + claim.mode()
                    + ") by request " + claim.requestId());
        }
        for (JournalDump.Entry entry : journal.entries()) {
            if (!entry.isClosed()) {
                found.add("entry: request " + entry.requestId() + " (" + entry.source() + " to " + entry.destination()
                        + ") is " + entry.state() + ", owned by " + entry.owner());
            }
        }
        return new Leftovers(found);
    }

    public boolean isNone() {
        return found.isEmpty();
    }

    @Override
    public String toString() {
        return isNone() ? "no hold, no claim, no unfinished rename" : String.join(System.lineSeparator(), found);
    }
}
