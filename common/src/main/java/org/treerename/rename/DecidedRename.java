package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.journal.Decision;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.journal.Parking;
import org.treerename.process.ProcessContext;
import org.treerename.store.RefusedException;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;

/**
 * The state of one decided rename while its documents move: its entry, its indices, and the progress so far. Only one
 * thread calls this class.
 */
public final class DecidedRename {

    /** The reason why the move stops before its end. */
    sealed interface Stop {

        /** The rename cannot continue. The entry stores the reason. */
        record Park(String reason, List<String> documents) implements Stop {}

        /** Another process owns the rename now. */
        record Lost() implements Stop {}
    }

    /** The longest time for which a pass moves documents without a write of the entry. */
    public static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

    /** The maximum number of documents, or of indices, that a log line or the entry names. */
    static final int SHOWN = 10;

    private final TreeStore tree;
    private final ProcessContext context;
    private final Rename rename;
    private final OwnEntry own;
    private long moved;
    private int passes;

    /** The time of the last comparison of the indices. */
    private long comparedNanos;

    DecidedRename(TreeStore tree, ProcessContext context, Rename rename, OwnEntry own) {
        this.tree = tree;
        this.context = context;
        this.rename = rename;
        this.own = own;
        this.moved = own.entry().progress().moved();
    }

    Rename rename() {
        return rename;
    }

    long moved() {
        return moved;
    }

    /** Returns the number of documents that the check has found at and below the source. */
    long expected() {
        return own.entry().progress().expected();
    }

    void hasMoved() {
        moved++;
    }

    int passes() {
        return passes;
    }

    void passBegins() {
        passes++;
    }

    /**
     * Reduces the number of passes by one after an outage has ended a pass. An interrupted pass does not show that
     * every document has moved.
     */
    void passDoesNotCount() {
        passes--;
    }

    /**
     * Returns the number of documents at the destination that are not replaced. Returns empty if the entry does not
     * show that the removals are complete.
     */
    Optional<Integer> unreplaced() {
        return Optional.ofNullable(own.entry().progress().unreplaced());
    }

    /** Records in the entry that the removals are complete. */
    Optional<Stop> removalsAreComplete(int unreplaced) {
        return stopUnlessOurs(own.write(JournalStep.REMOVALS, own.entry().replaced(unreplaced)));
    }

    Decision decision() {
        return own.entry()
                .decided()
                .orElseThrow(() -> new IllegalStateException("request " + rename.requestId() + " is not decided"));
    }

    boolean isRolledForward() {
        return own.entry().isRolledForward();
    }

    /**
     * Returns whether the last comparison of the indices is too old. If it is too old, moves must wait for the next
     * comparison.
     */
    boolean isConfirmationDue() {
        return context.time().nanos() - comparedNanos >= BETWEEN_WRITES.toNanos();
    }

    /**
     * Writes the entry, and then compares the indices with the indices of the commit. If the indices are equal, the
     * process may write the documents that it has read. The comparison follows the write of the entry, because this
     * write may block for a long time.
     */
    Optional<Stop> confirm() {
        Optional<Stop> lost = write();
        return lost.isPresent() ? lost : compare();
    }

    /** Writes the entry, so that an answer to an earlier read may be used for a write. */
    Optional<Stop> write() {
        return stopUnlessOurs(own.write(JournalStep.PROGRESS, own.entry().progressed(moved, passes)));
    }

    private static Optional<Stop> stopUnlessOurs(OwnedResult owned) {
        return owned == OwnedResult.OURS ? Optional.empty() : Optional.of(new Stop.Lost());
    }

    /**
     * Compares the indices with the indices of the commit. If an index is deleted and created again under the same
     * name, its sequence numbers start again. Sequence numbers that a process read from the deleted index prove nothing
     * about the new index.
     */
    Optional<Stop> compare() {
        Map<String, String> now;
        try {
            now = context.retryUntilAnswered(
                    "the indices of request " + rename.requestId(), () -> tree.indices(rename.namespace()));
        } catch (RefusedException e) {
            return Optional.of(new Stop.Park(
                    "the indices of namespace " + rename.namespace().name() + " cannot be read: " + e.getMessage(),
                    List.of()));
        }
        comparedNanos = context.time().nanos();
        List<String> missing = decision().indices().entrySet().stream()
                .filter(decided -> !decided.getValue().equals(now.get(decided.getKey())))
                .map(decided -> decided.getKey() + " with uuid " + decided.getValue())
                .sorted()
                .limit(SHOWN)
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Stop.Park(
                        "the indices of namespace " + rename.namespace().name() + " have changed since the commit: "
                                + rename.namespace().index() + " no longer contains " + String.join(", ", missing),
                        List.of()));
    }

    /**
     * Stops the move. If the rename cannot continue and this process still owns the rename, the steps are:
     *
     * <ol>
     *   <li>Write the progress. If the process dies here, the entry is MOVING, and the process that rolls the rename
     *       forward parks the rename.
     *   <li>Write PARKED with the reason ({@link OwnEntry#park}). If the process dies after the write, a janitor
     *       tries again.
     * </ol>
     */
    Mover.Moved stop(Stop stop) {
        return switch (stop) {
            case Stop.Lost lost -> new Mover.Moved.Lost();
            case Stop.Park park -> park(park);
        };
    }

    private Mover.Moved park(Stop.Park park) {
        if (write().isPresent()) {
            return new Mover.Moved.Lost();
        }
        List<String> firstDocuments = park.documents().stream().limit(SHOWN).toList();
        OwnedResult owned = own.park(new Parking(park.reason(), firstDocuments));
        return owned == OwnedResult.OURS ? new Mover.Moved.Parked() : new Mover.Moved.Lost();
    }
}
