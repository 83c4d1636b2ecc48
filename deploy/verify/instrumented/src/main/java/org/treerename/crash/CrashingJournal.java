package org.treerename.crash;

import org.jspecify.annotations.Nullable;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** Calls {@link CrashPoints#reach} before and after each step that writes a journal entry. */
record CrashingJournal(Journal journal, CrashPoints points) implements ForwardingJournal {

    /** The points before and after one write; null for a point that does not exist. */
    private record Around(
            @Nullable CrashPoint before, @Nullable CrashPoint after) {
        static final Around NOTHING = new Around(null, null);
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        points.reach(CrashPoint.BEFORE_PREPARE);
        Prepared prepared = journal.prepare(attempt);
        points.reach(CrashPoint.AFTER_PREPARE);
        return prepared;
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        Around around = around(step);
        if (around.before() != null) {
            points.reach(around.before());
        }
        WriteResult result = journal.write(step, entry, seen);
        if (result instanceof WriteResult.Written && around.after() != null) {
            points.reach(around.after());
        }
        return result;
    }

    /** Returns the points around a step. The step REMOVALS has no points, because no scan is open at this step. */
    private static Around around(JournalStep step) {
        return switch (step) {
            case COMMIT -> new Around(CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT);
            case PROGRESS, RESUME -> new Around(CrashPoint.BEFORE_PROGRESS, CrashPoint.AFTER_PROGRESS);
            case END -> new Around(CrashPoint.BEFORE_DONE, CrashPoint.AFTER_DONE);
            case CLOSE -> new Around(CrashPoint.BEFORE_CLOSE, CrashPoint.AFTER_CLOSE);
            case RETRY -> new Around(CrashPoint.BEFORE_RETRY, null);
            case TAKE_OVER, NOT_DELIVERED -> new Around(null, CrashPoint.AFTER_TAKE_OVER);
            case ATTEMPT,
                    FURTHER_LOCKS,
                    REMOVALS,
                    PARK,
                    CANCEL,
                    ABANDON,
                    PICK_UP,
                    NO_OP,
                    PLACEHOLDER,
                    REPLACE_PLACEHOLDER -> Around.NOTHING;
        };
    }
}
