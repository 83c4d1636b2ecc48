package org.treerename.journal;

import org.treerename.journal.JournalEntry.Ownership;

/** Changes an entry like a take-over: another owner and the next epoch, and no other change. */
public final class TakenOver {

    private TakenOver() {}

    public static JournalEntry by(String processId, JournalEntry entry) {
        Ownership before = entry.ownership();
        return new JournalEntry(
                entry.requestId(),
                entry.request(),
                entry.requestedBy(),
                entry.digest(),
                entry.place(),
                entry.requestedAt(),
                entry.state(),
                new Ownership(processId, before.epoch() + 1, before.holdId()),
                entry.waiting(),
                entry.progress(),
                entry.decision(),
                entry.decidedIn(),
                entry.ending(),
                entry.parking(),
                entry.touches(),
                entry.repeats(),
                entry.writeTarget());
    }
}
