package org.treerename.simulation;

import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** Passes calls to a journal, and counts the version conflicts in its answers. */
record TalliedJournal(Journal journal, Stage stage) implements ForwardingJournal {

    private WriteResult tallied(WriteResult result, Happening conflict) {
        if (result instanceof WriteResult.Conflict) {
            String who = stage.scheduler().current().actor().name();
            stage.happened(conflict, who, () -> "gets a version conflict: " + conflict);
        }
        return result;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        Prepared prepared = journal.prepare(attempt);
        tallied(prepared.entry(), Happening.CONFLICT_AT_PREPARE);
        return prepared;
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return tallied(journal.create(step, entry), Happening.CONFLICT_AT_PREPARE);
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return tallied(journal.write(step, entry, seen), conflict(step));
    }

    private static Happening conflict(JournalStep step) {
        return switch (step) {
            case ATTEMPT, FURTHER_LOCKS, PLACEHOLDER -> Happening.CONFLICT_AT_PREPARE;
            case RETRY -> Happening.CONFLICT_AT_RETRY;
            case COMMIT -> Happening.CONFLICT_AT_COMMIT;
            case REMOVALS, PROGRESS, PARK, RESUME -> Happening.CONFLICT_AT_PROGRESS;
            case END -> Happening.CONFLICT_AT_DONE;
            case CLOSE -> Happening.CONFLICT_AT_CLOSED;
            case TAKE_OVER, NOT_DELIVERED, PICK_UP, REPLACE_PLACEHOLDER -> Happening.CONFLICT_AT_TAKE_OVER;
            case NO_OP, CANCEL, ABANDON -> Happening.CONFLICT_AT_TOUCH;
        };
    }
}
