package org.treerename.journal;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.request.DecisionTime;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;

/**
 * The stored request and state of one rename, or of one hold of a writer. The size of an entry does not depend on the
 * number of documents that the rename moves.
 *
 * @param requestedAt the time at which Kafka appended the first record of the request. For a direct rename, or for a
 *     writer, the time of the request
 * @param decidedIn the version of the write that committed, rejected, failed or cancelled the rename. The sequence
 *     numbers of these versions define the order of all decisions. The version is null before the decision. The
 *     deciding write cannot store its own version; {@link #seenIn} adds the version after a read
 * @param noOps a counter that each no-op write increases, so that Elasticsearch treats the no-op write as a write
 * @param repeats later records of the same request
 */
public record JournalEntry(
        String requestId,
        Subject subject,
        Instant requestedAt,
        Ownership ownership,
        Waiting waiting,
        Phase phase,
        @Nullable Version decidedIn,
        long noOps,
        Repeats repeats)
        implements LockOwner {

    /** Orders entries by age, the oldest first. */
    public static final Comparator<JournalEntry> BY_AGE = Comparator.comparing(JournalEntry::age);

    private static JournalEntry begun(
            String requestId, Subject subject, Instant requestedAt, Ownership ownership, State state) {
        return new JournalEntry(
                requestId,
                subject,
                requestedAt,
                ownership,
                Waiting.NONE,
                new Phase.Undecided(state),
                null,
                0,
                Repeats.NONE);
    }

    /** Returns a new entry for the first attempt of a delivered request. */
    public static JournalEntry prepared(Delivery delivery, Ownership ownership) {
        Subject subject = new Subject.Delivered(delivery.asked(), delivery.digest(), delivery.place());
        return begun(delivery.requestId(), subject, delivery.appendedAt(), ownership, State.PREPARED);
    }

    /** Returns a new entry for a writer's first attempt. */
    public static JournalEntry held(ExternalWriter writer, Ownership ownership) {
        Subject subject = new Subject.Writes(writer.writeTarget());
        return begun(writer.requestId(), subject, writer.askedAt(), ownership, State.HELD);
    }

    /**
     * Returns a placeholder for a hold or a claim whose request has no entry. The placeholder is in RETRY, and a
     * delivery of the request replaces it.
     */
    public static JournalEntry placeholder(String requestId, String processId, Instant requestedAt) {
        return begun(requestId, new Subject.Unknown(), requestedAt, new Ownership(processId, 1, null), State.RETRY);
    }

    @Override
    public State state() {
        return phase.state();
    }

    public Progress progress() {
        return phase.progress();
    }

    public Optional<Decision> decided() {
        return Optional.ofNullable(phase.decision());
    }

    public Optional<Ending> ended() {
        return Optional.ofNullable(phase.ending());
    }

    /** Returns the reason why the rename is parked; null if the rename is not parked. */
    public @Nullable Parking parking() {
        return phase instanceof Phase.Parked parked ? parked.parking() : null;
    }

    public String digest() {
        return subject.digest();
    }

    /** Returns the position of the request's first record; {@link RecordPosition#NOWHERE} if there was no record. */
    public RecordPosition place() {
        return subject.place();
    }

    /** Returns the directories for which a writer holds locks; null if this entry is not the entry of a writer. */
    public @Nullable WriteTarget writeTarget() {
        return subject instanceof Subject.Writes writes ? writes.target() : null;
    }

    /** Returns the request. Returns an invalid request if the entry has no valid request. */
    public ParsedRequest asked() {
        return subject instanceof Subject.Delivered delivered
                ? delivered.asked()
                : Subject.Delivered.invalid(requestId, null);
    }

    /** Returns the request; null for an invalid request, a writer or a placeholder. */
    public ParsedRequest.@Nullable RenameRequest request() {
        return asked() instanceof ParsedRequest.RenameRequest request ? request : null;
    }

    public @Nullable String requestedBy() {
        return asked().requestedBy();
    }

    /** Returns whether a direct rename created this entry. The log does not deliver the request of a direct rename. */
    public boolean isDirect() {
        return place().isDirect();
    }

    /** Returns whether the log has a record of this request. If so, readers of outcomes may wait for the outcome. */
    public boolean hasRecord() {
        return repeats.areInLog() || (!isDirect() && !place().equals(RecordPosition.NOWHERE));
    }

    /** Returns the name of the namespace; empty for an invalid request or a placeholder. */
    public Optional<String> namespace() {
        return subject.namespace();
    }

    /** Returns whether all records, and the end if the rename has ended, are before the limit. */
    public boolean isOlderThan(Instant limit) {
        return areRecordsBefore(limit)
                && ended().map(ending -> ending.finishedAt().isBefore(limit)).orElse(true);
    }

    /** Returns whether the request is expired. A writer and a placeholder have no records, and are never expired. */
    public boolean isCoveredBy(Instant watermark) {
        return subject instanceof Subject.Delivered && areRecordsBefore(watermark);
    }

    private boolean areRecordsBefore(Instant limit) {
        return requestedAt.isBefore(limit) && repeats.isBefore(limit);
    }

    /** Returns the times of the request and of the commit; empty if the rename is not committed. */
    public Optional<DecisionTime> decisionTime() {
        return decided().map(made -> new DecisionTime(requestedAt, made.committedAt()));
    }

    /** Returns whether a process other than the owner committed the rename. Returns false before the commit. */
    public boolean isRolledForward() {
        return decided()
                .filter(decision -> !decision.committedBy().equals(ownership.processId()))
                .isPresent();
    }

    /**
     * Returns this entry with the given version as the deciding version, if the write of this entry decided the rename.
     * A write cannot store its own version, so the first write after the deciding write stores the deciding version. No
     * other write can come between these two writes, because each write is conditional.
     */
    public JournalEntry seenIn(Version version) {
        return decidedIn == null && state().isDecided() ? decidedIn(version) : this;
    }

    /** Returns this entry with the deciding version of {@code seen}, the entry that the next write replaces. */
    JournalEntry over(JournalEntry seen) {
        return decidedIn(seen.decidedIn());
    }

    private JournalEntry decidedIn(@Nullable Version version) {
        return new JournalEntry(requestId, subject, requestedAt, ownership, waiting, phase, version, noOps, repeats);
    }

    public JournalEntry attempted(Ownership next, Waiting waited) {
        State attempted = writeTarget() == null ? State.PREPARED : State.HELD;
        return changed(next, waited, new Phase.Undecided(attempted), noOps);
    }

    public JournalEntry refused(Waiting waited) {
        return changed(ownership, waited, phase, noOps);
    }

    /** Returns this entry with another process as the owner. Apart from the owner, only the epoch changes. */
    public JournalEntry takenOver(String processId) {
        return changed(ownership.takenOverBy(processId), waiting, phase, noOps);
    }

    /** Returns whether this entry is a placeholder: its request has not been delivered yet. */
    public boolean isPlaceholder() {
        return subject instanceof Subject.Unknown;
    }

    /** Returns whether a delivery belongs to the request of this entry. */
    public boolean isOf(Delivery delivery) {
        return isPlaceholder() || digest().equals(delivery.digest());
    }

    /**
     * Returns this entry with the time of the delivered record. If this entry is a placeholder, returns a new entry
     * of the delivered request.
     */
    public JournalEntry deliveredBy(Delivery delivery) {
        if (isPlaceholder()) {
            return prepared(delivery, ownership);
        }
        boolean isFirst = place().equals(delivery.place()) && requestedAt.equals(delivery.appendedAt());
        return isFirst ? this : repeated(repeats.and(delivery));
    }

    /**
     * Returns this entry with the repeated records of {@code other}. The entry {@code other} is this entry after a
     * no-op write of another process.
     */
    public JournalEntry repeatedAs(JournalEntry other) {
        return repeated(other.repeats());
    }

    private JournalEntry repeated(Repeats next) {
        return new JournalEntry(requestId, subject, requestedAt, ownership, waiting, phase, decidedIn, noOps, next);
    }

    public JournalEntry released() {
        return changed(ownership.withoutHold(), waiting, new Phase.Undecided(State.RETRY), noOps);
    }

    public JournalEntry committed(Decision decision, long expected) {
        return became(new Phase.Moving(decision, new Progress(expected, 0, 0)));
    }

    public JournalEntry progressed(long moved, int passes) {
        return moving(progress().to(moved, passes));
    }

    /**
     * Returns the entry in MOVING after all removals are complete.
     *
     * @param unreplaced the number of documents at the destination that are too new for a replacement
     */
    public JournalEntry replaced(int unreplaced) {
        return moving(progress().replaced(unreplaced));
    }

    private JournalEntry moving(Progress next) {
        return changed(ownership, waiting, new Phase.Moving(decision(State.MOVING), next), noOps + 1);
    }

    /** Returns the entry in DONE, with the number of moved documents and the outcome to publish. */
    public JournalEntry done(Ending ending, long moved, int passes) {
        return became(new Phase.Done(decision(State.DONE), progress().to(moved, passes), ending));
    }

    public JournalEntry parked(Parking why) {
        return became(new Phase.Parked(decision(State.PARKED), progress(), why));
    }

    /** Returns the entry in REJECTED, FAILED or CANCELLED, with the outcome to publish. */
    public JournalEntry ended(State end, Ending how) {
        return became(new Phase.Refused(end, how));
    }

    public JournalEntry closed() {
        return became(new Phase.Closed(phase.decision(), phase.progress(), phase.ending()));
    }

    /** Returns this entry for a no-op write: only the counter of no-op writes changes. */
    public JournalEntry withNoOp() {
        return changed(ownership, waiting, phase, noOps + 1);
    }

    private Decision decision(State next) {
        return decided().orElseThrow(() -> cannotBecome(next));
    }

    private JournalEntry became(Phase next) {
        return changed(ownership, waiting, next, noOps);
    }

    private JournalEntry changed(Ownership owner, Waiting waited, Phase next, long withNoOp) {
        if (!state().mayBecome(next.state())) {
            throw cannotBecome(next.state());
        }
        return new JournalEntry(requestId, subject, requestedAt, owner, waited, next, decidedIn, withNoOp, repeats);
    }

    private IllegalStateException cannotBecome(State next) {
        return new IllegalStateException(
                "the journal entry of request " + requestId + " is " + state() + " and cannot become " + next);
    }
}
