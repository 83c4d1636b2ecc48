package org.treerename.simulation;

import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.simulation.schedule.Task;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** A journal that counts version conflicts. */
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
    public WriteResult create(JournalEntry entry) {
        return tallied(journal.create(entry), Happening.CONFLICT_AT_PREPARE);
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        return tallied(journal.write(entry, seen), kind(entry));
    }

    private Happening kind(JournalEntry entry) {
        Task task = stage.scheduler().current();
        if (!entry.ownership().processId().equals(task.actor().name())) {
            return Happening.CONFLICT_AT_TOUCH;
        }
        boolean carried = task.attachment() instanceof JournalEntry before
                && before.requestId().equals(entry.requestId())
                && before.ownership().equals(entry.ownership());
        return switch (entry.state()) {
            case RETRY -> Happening.CONFLICT_AT_RETRY;
            case CLOSED -> Happening.CONFLICT_AT_CLOSED;
            case PREPARED, HELD -> Happening.CONFLICT_AT_TAKE_OVER;
            case MOVING, PARKED ->
                !carried
                        ? Happening.CONFLICT_AT_TAKE_OVER
                        : wasPrepared(task) ? Happening.CONFLICT_AT_COMMIT : Happening.CONFLICT_AT_PROGRESS;
            case DONE, REJECTED, FAILED, CANCELLED ->
                carried ? Happening.CONFLICT_AT_DONE : Happening.CONFLICT_AT_TAKE_OVER;
        };
    }

    private static boolean wasPrepared(Task task) {
        return task.attachment() instanceof JournalEntry before && before.state() == State.PREPARED;
    }
}
