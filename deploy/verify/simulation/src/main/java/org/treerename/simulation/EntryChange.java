package org.treerename.simulation;

import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;

/**
 * A write of a journal entry that has taken effect.
 *
 * @param step the step that the process took with this write; null for simulated damage
 * @param before the entry before the write; null if there was none
 */
record EntryChange(@Nullable JournalStep step, @Nullable JournalEntry before, JournalEntry after) {

    /**
     * Returns whether this write decides the rename. If a step is repeated after a lost answer, the repeated write does
     * not decide the rename.
     */
    boolean decides() {
        return step == JournalStep.COMMIT
                ? isNew()
                : ends() && (before == null || before.decided().isEmpty());
    }

    /** Returns whether this write gives the rename its outcome. */
    boolean ends() {
        return isNew()
                && (step == JournalStep.END
                        || step == JournalStep.NOT_DELIVERED
                        || step == JournalStep.CANCEL
                        || step == JournalStep.ABANDON);
    }

    /** Returns whether this write makes another process the owner of the entry. */
    boolean takesOver() {
        return before != null
                && (step == JournalStep.TAKE_OVER || step == JournalStep.NOT_DELIVERED)
                && !before.ownership().processId().equals(after.ownership().processId());
    }

    private boolean isNew() {
        return before == null || before.state() != after.state();
    }

    /**
     * Returns whether the step may change the entry from its previous state to its new state. {@link State} defines the
     * allowed changes independently of the step.
     */
    boolean fitsItsStep() {
        if (step == null) {
            return true;
        }
        State from = before == null ? null : before.state();
        State to = after.state();
        return switch (step) {
            case ATTEMPT -> to.isAttempted();
            case FURTHER_LOCKS, NO_OP, TAKE_OVER, PICK_UP -> from == to;
            case RETRY -> to == State.RETRY;
            case COMMIT -> to == State.MOVING && from != State.PARKED;
            case REMOVALS, PROGRESS -> to == State.MOVING && from == State.MOVING;
            case RESUME -> to == State.MOVING && (from == State.PARKED || from == State.MOVING);
            case PARK -> to == State.PARKED;
            case END -> to == State.DONE || to == State.REJECTED || to == State.FAILED;
            case NOT_DELIVERED -> to == State.FAILED && from == State.RETRY;
            case CANCEL -> to == State.CANCELLED;
            case ABANDON -> to == State.DONE && from == State.PARKED;
            case CLOSE -> to == State.CLOSED;
            case PLACEHOLDER -> to == State.RETRY && from == null;
            case REPLACE_PLACEHOLDER -> to == State.HELD && (from == State.RETRY || from == State.HELD);
        };
    }
}
