package org.treerename.journal;

/** Changes an entry as a take-over does: the entry gets another owner and the next epoch. Nothing else changes. */
public final class TakenOver {

    private TakenOver() {}

    public static JournalEntry by(String processId, JournalEntry entry) {
        Ownership before = entry.ownership();
        return TestEntry.like(entry)
                .owner(processId, before.epoch() + 1, before.holdId())
                .build();
    }
}
