package org.treerename.journal;

/** Changes an entry like a take-over: another owner and the next epoch, and no other change. */
public final class TakenOver {

    private TakenOver() {}

    public static JournalEntry by(String processId, JournalEntry entry) {
        Ownership before = entry.ownership();
        return TestEntry.like(entry)
                .owner(processId, before.epoch() + 1, before.holdId())
                .build();
    }
}
