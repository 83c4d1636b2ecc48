package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.OwnEntry.Standing;
import org.treerename.store.RefusedException;

/** One decided rename while its documents move: its entry, its indices, and the progress so far. One thread calls it. */
final class DecidedRename {

    /** Why the moving stops before its end. */
    sealed interface Stop {

        /** It cannot go on; the entry is to say why. */
        record Park(String reason, List<String> documents) implements Stop {}

        /** Another process carries the rename now. */
        record Lost() implements Stop {}
    }

    /** How long the moves of one pass go on without a write of the entry. */
    static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

    /** How many documents or indices of one kind are named in a log line or in the entry. */
    static final int SHOWN = 10;

    private static final Logger log = LoggerFactory.getLogger(DecidedRename.class);

    private final TreeStore tree;
    private final ProcessContext context;
    private final Rename rename;
    private final OwnEntry own;
    private long moved;
    private int passes;
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

    void hasMoved() {
        moved++;
    }

    int passes() {
        return passes;
    }

    void passBegins() {
        passes++;
    }

    /** An outage is none of the passes after which enough is moved. */
    void passDoesNotCount() {
        passes--;
    }

    Decision decision() {
        return own.entry()
                .decided()
                .orElseThrow(() -> new IllegalStateException("request " + rename.requestId() + " is not decided"));
    }

    boolean isRolledForward() {
        return own.entry().isRolledForward();
    }

    /** Whether the last comparison of the indices is so old that moves must wait for the next one. */
    boolean isConfirmationDue() {
        return context.time().nanos() - comparedNanos >= BETWEEN_WRITES.toNanos();
    }

    /**
     * Writes the entry, then compares the indices with those of the commit. Documents that were read before may be written after it. The write may
     * wait for long, so the comparison comes second.
     */
    Optional<Stop> confirm() {
        Optional<Stop> lost = write();
        return lost.isPresent() ? lost : compare();
    }

    private Optional<Stop> write() {
        return own.write(own.entry().progressed(moved, passes)) == Standing.OURS
                ? Optional.empty()
                : Optional.of(new Stop.Lost());
    }

    /** Compares the indices with those of the commit: an index that is created again under its name numbers its versions from the start. */
    Optional<Stop> compare() {
        Map<String, String> now;
        try {
            now = context.retryUntilAnswered(
                    "the indices of " + rename.requestId(), () -> tree.indices(rename.namespace()));
        } catch (RefusedException e) {
            return Optional.of(new Stop.Park("its indices cannot be read: " + e.getMessage(), List.of()));
        }
        comparedNanos = context.time().nanos();
        List<String> gone = decision().indices().entrySet().stream()
                .filter(decided -> !decided.getValue().equals(now.get(decided.getKey())))
                .map(decided -> decided.getKey() + " with uuid " + decided.getValue())
                .sorted()
                .limit(SHOWN)
                .toList();
        return gone.isEmpty()
                ? Optional.empty()
                : Optional.of(new Stop.Park(
                        "its indices are not those of the commit any more: "
                                + rename.namespace().index() + " has no more " + String.join(", ", gone),
                        List.of()));
    }

    /** Stops the moving. The entry of a rename that cannot go on says so, if the rename is still this process's. */
    Mover.Moved stop(Stop stop) {
        return switch (stop) {
            case Stop.Lost lost -> new Mover.Moved.Lost();
            case Stop.Park park -> park(park);
        };
    }

    private Mover.Moved park(Stop.Park park) {
        List<String> first = park.documents().stream().limit(SHOWN).toList();
        log.error("request {} is parked with its locks kept: {}: {}", rename.requestId(), park.reason(), first);
        Standing standing = own.write(own.entry().progressed(moved, passes));
        if (standing == Standing.OURS) {
            standing = own.write(own.entry().parked(new Parking(park.reason(), first)));
        }
        return standing == Standing.OURS ? new Mover.Moved.Parked() : new Mover.Moved.Lost();
    }
}
