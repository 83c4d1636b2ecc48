package org.treerename.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;
import org.treerename.request.DecisionTime;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.RenameProgress;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/**
 * The durable intent and state of one rename, or of one hold of a writer. Its size does not depend on the subtree.
 *
 * @param request the request; null if the request was invalid, and for a writer
 * @param digest the digest of the request's content
 * @param place the position of the request's first record; {@link RecordPosition#NOWHERE} if there was no record
 * @param requestedAt the time at which the log appended its first record, or at which the writer requested the locks
 * @param decidedIn the version of the write that committed, rejected, failed or cancelled the rename. Its sequence
 *     number is the rename's place in the order of all decisions. It is null before the decision. The document that the
 *     deciding write stores does not have it either; {@link #seenIn} adds it
 * @param touches a counter that no-op writes raise, so that Elasticsearch treats them as writes
 * @param repeats later records of the same request
 * @param writeTarget the directories for which a writer holds locks; null for a rename
 */
public record JournalEntry(
        String requestId,
        ParsedRequest.@Nullable RenameRequest request,
        @Nullable String requestedBy,
        String digest,
        RecordPosition place,
        Instant requestedAt,
        State state,
        Ownership ownership,
        Waiting waiting,
        Progress progress,
        @Nullable Decision decision,
        @Nullable Version decidedIn,
        @Nullable Ending ending,
        @Nullable Parking parking,
        long touches,
        Repeats repeats,
        @Nullable WriteTarget writeTarget) {

    /** Orders entries by age, the oldest first. */
    public static final Comparator<JournalEntry> BY_AGE = Comparator.comparing(JournalEntry::age);

    /** The digest of a placeholder. */
    private static final String UNKNOWN = "";

    /** The digest of a writer's entry. No request in the log has this digest. */
    private static final String WRITES = "write";

    /**
     * The owner of the rename: the process, and the hold id of its attempt. A process id and a hold id are never used
     * again.
     *
     * @param epoch the number of attempts and take-overs. It is only for people, and no decision depends on it
     * @param holdId the hold id of the attempt; null if there is none
     */
    public record Ownership(
            String processId, long epoch, @Nullable String holdId) {}

    /**
     * The refusals by locks of other requests.
     *
     * @param refusals the number of refusals
     * @param refusedBy the request that refused last; null if none did
     * @param refusal the last refusal as a text, with the path
     */
    public record Waiting(
            int refusals,
            @Nullable String refusedBy,
            @Nullable String refusal) {
        public static final Waiting NONE = new Waiting(0, null, null);
    }

    /**
     * The progress of the move.
     *
     * @param expected the number of documents to move
     * @param moved the number of documents moved
     * @param passes the number of passes begun
     * @param unreplaced the number of documents to be replaced that stay at the destination, because they are too new;
     *     null until the removals are complete. After that, no process removes a document
     */
    public record Progress(
            long expected, long moved, int passes, @Nullable Integer unreplaced) {
        static final Progress NONE = new Progress(0, 0, 0);

        /** Creates the progress of a rename whose removals are not complete. */
        public Progress(long expected, long moved, int passes) {
            this(expected, moved, passes, null);
        }

        private Progress to(long nowMoved, int nowPasses) {
            return new Progress(expected, nowMoved, nowPasses, unreplaced);
        }
    }

    /**
     * The facts that the commit decides.
     *
     * @param committedBy the process that committed the rename; any other owner rolls the rename forward
     * @param indices the uuid of each concrete index by its name
     * @param removals the documents at the destination that the rename replaces
     * @param ownId the id of the only document at the source itself; null if there is no document or more than one
     *     document
     */
    public record Decision(
            Instant committedAt,
            String committedBy,
            Map<String, String> indices,
            List<Document.Ref> removals,
            @Nullable String ownId) {

        public Decision {
            indices = Map.copyOf(indices);
            removals = List.copyOf(removals);
        }

        /** Creates the decision of a rename that does not have exactly one document at its source. */
        public Decision(
                Instant committedAt, String committedBy, Map<String, String> indices, List<Document.Ref> removals) {
            this(committedAt, committedBy, indices, removals, null);
        }
    }

    /** The end of the rename, and the text of its outcome as it is published. */
    public record Ending(Instant finishedAt, String outcome) {}

    /** The reason why the rename cannot continue, and the ids of the first documents concerned. */
    public record Parking(String reason, List<String> documents) {
        public Parking {
            documents = List.copyOf(documents);
        }

        @Override
        public String toString() {
            return documents.isEmpty() ? reason : reason + ", the first: " + String.join("; ", documents);
        }
    }

    /**
     * Records of the same request that were delivered after the first record. The client has sent the request again
     * with the same id.
     *
     * @param places the position of the last record in each partition
     * @param lastAppendedAt the time at which the log appended the youngest of these records; null if there is none
     */
    public record Repeats(
            List<RecordPosition> places, @Nullable Instant lastAppendedAt) {
        public static final Repeats NONE = new Repeats(List.of(), null);

        public Repeats {
            places = List.copyOf(places);
        }

        Repeats and(Delivery delivery) {
            RecordPosition place = delivery.place();
            List<RecordPosition> next = new ArrayList<>(places);
            next.removeIf(p -> p.topicPartition().equals(place.topicPartition()) && p.isCoveredBy(place));
            if (next.stream().noneMatch(p -> p.topicPartition().equals(place.topicPartition()))) {
                next.add(place);
            }
            boolean isYoungest = lastAppendedAt == null || delivery.appendedAt().isAfter(lastAppendedAt);
            return new Repeats(next, isYoungest ? delivery.appendedAt() : lastAppendedAt);
        }
    }

    /** Creates the entry of a rename whose request has only one record. */
    public JournalEntry(
            String requestId,
            ParsedRequest.@Nullable RenameRequest request,
            @Nullable String requestedBy,
            String digest,
            RecordPosition place,
            Instant requestedAt,
            State state,
            Ownership ownership,
            Waiting waiting,
            Progress progress,
            @Nullable Decision decision,
            @Nullable Version decidedIn,
            @Nullable Ending ending,
            @Nullable Parking parking,
            long touches) {
        this(
                requestId,
                request,
                requestedBy,
                digest,
                place,
                requestedAt,
                state,
                ownership,
                waiting,
                progress,
                decision,
                decidedIn,
                ending,
                parking,
                touches,
                Repeats.NONE,
                null);
    }

    /** Returns a new entry for the first attempt of a delivered request. */
    public static JournalEntry prepared(Delivery delivery, Ownership ownership) {
        return new JournalEntry(
                delivery.requestId(),
                delivery.asked() instanceof ParsedRequest.RenameRequest request ? request : null,
                delivery.asked().requestedBy(),
                delivery.digest(),
                delivery.place(),
                delivery.appendedAt(),
                State.PREPARED,
                ownership,
                Waiting.NONE,
                Progress.NONE,
                null,
                null,
                null,
                null,
                0);
    }

    /** Returns a new entry for a writer's first attempt. */
    public static JournalEntry held(ExternalWriter writer, Ownership ownership) {
        return new JournalEntry(
                writer.requestId(),
                null,
                null,
                WRITES,
                RecordPosition.NOWHERE,
                writer.askedAt(),
                State.HELD,
                ownership,
                Waiting.NONE,
                Progress.NONE,
                null,
                null,
                null,
                null,
                0,
                Repeats.NONE,
                writer.writeTarget());
    }

    /** Returns whether a hold is valid: this entry names its hold id, and the state of the entry permits a hold. */
    public boolean mayHold(Hold hold) {
        return state.mayHold() && hold.holdId().equals(ownership.holdId());
    }

    /** Returns whether a claim of the entry's request is valid. */
    public boolean mayClaim() {
        return !state.isFinal() && state != State.RETRY;
    }

    public LockPriority age() {
        return new LockPriority(requestedAt.toEpochMilli(), requestId);
    }

    /**
     * Returns the positions of the entry's records; empty if there is no record. The list contains the last record of
     * each partition.
     */
    public List<RecordPosition> places() {
        List<RecordPosition> places = new ArrayList<>(repeats.places());
        if (!place.equals(RecordPosition.NOWHERE)) {
            places.add(place);
        }
        return places;
    }

    /** Returns the namespace; empty if the request was invalid. */
    public Optional<String> namespace() {
        return Optional.ofNullable(request)
                .map(ParsedRequest.RenameRequest::namespace)
                .or(() -> Optional.ofNullable(writeTarget).map(WriteTarget::namespace));
    }

    /**
     * Returns whether the log appended all records of the entry before the limit. If the rename has ended, its end must
     * be before the limit, too.
     */
    public boolean isOlderThan(Instant limit) {
        Instant repeatedAt = repeats.lastAppendedAt();
        return requestedAt.isBefore(limit)
                && (repeatedAt == null || repeatedAt.isBefore(limit))
                && (ending == null || ending.finishedAt().isBefore(limit));
    }

    public Optional<Decision> decided() {
        return Optional.ofNullable(decision);
    }

    /** Returns the times of the request and of the commit; empty if the rename is not committed. */
    public Optional<DecisionTime> decisionTime() {
        return decided().map(made -> new DecisionTime(requestedAt, made.committedAt()));
    }

    public Optional<Ending> ended() {
        return Optional.ofNullable(ending);
    }

    /** Returns whether the owner is not the process that committed the rename. */
    public boolean isRolledForward() {
        return decision != null && !decision.committedBy().equals(ownership.processId());
    }

    /** Returns whether the request, or the writer, names this namespace. */
    public boolean isIn(String namespace) {
        return namespace().equals(Optional.of(namespace));
    }

    /**
     * Returns the lock set that the request or the writer requested; empty if it names no valid paths. If the
     * definition of the namespace is not known, the default lock policy applies. A wrong lock set does no harm. A
     * release names holds by their ids, and a sweep removes the locks that the release misses.
     */
    public LockSet lockSetAsAsked(Function<String, Optional<Namespace>> namespaces) {
        Optional<String> name = namespace().filter(Namespace::isName);
        if (name.isEmpty()) {
            return LockSet.NONE;
        }
        LockPolicy lockPolicy = name.flatMap(namespaces).map(LockPolicy::of).orElse(LockPolicy.assumed());
        return Optional.ofNullable(request)
                .flatMap(requested -> requested.lockSet(lockPolicy))
                .or(() -> Optional.ofNullable(writeTarget).flatMap(requested -> requested.lockSet(lockPolicy)))
                .orElse(LockSet.NONE);
    }

    /** Returns the release of all holds and claims that the request may have in lock tables. */
    public Release releaseOfAll() {
        String holdId = ownership.holdId();
        return Release.ofRequest(requestId, holdId == null ? Set.of() : Set.of(holdId));
    }

    /** Returns the release of this attempt's hold, without its claims. */
    public Release releaseOfHold() {
        return Release.ofHold(String.valueOf(ownership.holdId()));
    }

    /**
     * Returns this entry with the deciding version, if the given version decided the rename. A write cannot store its
     * own version, so the first write after the deciding write stores it. No other write can come between these two
     * writes, because each write is conditional.
     */
    public JournalEntry seenIn(Version version) {
        return decidedIn == null && state.isDecided() ? decidedIn(version) : this;
    }

    /** Returns this entry with the deciding version of {@code seen}, which the next write replaces. */
    JournalEntry over(JournalEntry seen) {
        return decidedIn(seen.decidedIn());
    }

    private JournalEntry decidedIn(@Nullable Version version) {
        return new JournalEntry(
                requestId,
                request,
                requestedBy,
                digest,
                place,
                requestedAt,
                state,
                ownership,
                waiting,
                progress,
                decision,
                version,
                ending,
                parking,
                touches,
                repeats,
                writeTarget);
    }

    boolean isOwnedAs(Ownership other) {
        return ownership.processId().equals(other.processId()) && Objects.equals(ownership.holdId(), other.holdId());
    }

    public JournalEntry attempted(Ownership next, Waiting waited) {
        State attempted = writeTarget == null ? State.PREPARED : State.HELD;
        return changed(attempted, next, waited, progress, decision, ending, parking, touches);
    }

    public JournalEntry refused(Waiting waited) {
        return changed(state, ownership, waited, progress, decision, ending, parking, touches);
    }

    /** Returns this entry with another process as the owner. Only the epoch changes as well. */
    public JournalEntry takenOver(String processId) {
        Ownership next = new Ownership(processId, ownership.epoch() + 1, ownership.holdId());
        return changed(state, next, waiting, progress, decision, ending, parking, touches);
    }

    /**
     * Returns a placeholder for a hold whose request has no entry. The placeholder is RETRY, and a delivery of the
     * request replaces it.
     */
    public static JournalEntry placeholder(String requestId, String processId, Instant now) {
        return new JournalEntry(
                requestId,
                null,
                null,
                UNKNOWN,
                RecordPosition.NOWHERE,
                now,
                State.RETRY,
                new Ownership(processId, 1, null),
                Waiting.NONE,
                Progress.NONE,
                null,
                null,
                null,
                null,
                0);
    }

    /** Returns whether this entry is a placeholder: no request was delivered for it yet. */
    public boolean isPlaceholder() {
        return digest.equals(UNKNOWN);
    }

    /** Returns whether a delivery belongs to the request of this entry. */
    public boolean isOf(Delivery delivery) {
        return isPlaceholder() || digest.equals(delivery.digest());
    }

    /**
     * Returns this entry with the position of the record. If this entry is a placeholder, returns a new entry of the
     * delivered request.
     */
    public JournalEntry deliveredBy(Delivery delivery) {
        if (isPlaceholder()) {
            return prepared(delivery, ownership);
        }
        return place.equals(delivery.place()) ? this : repeated(repeats.and(delivery));
    }

    /**
     * Returns this entry with the repeated records of {@code other}. The entry {@code other} is this entry after a
     * no-op write of another process.
     */
    public JournalEntry repeatedAs(JournalEntry other) {
        return repeated(other.repeats());
    }

    private JournalEntry repeated(Repeats next) {
        return new JournalEntry(
                requestId,
                request,
                requestedBy,
                digest,
                place,
                requestedAt,
                state,
                ownership,
                waiting,
                progress,
                decision,
                decidedIn,
                ending,
                parking,
                touches,
                next,
                writeTarget);
    }

    /** Returns the request. Returns an invalid request if the entry has no valid request. */
    public ParsedRequest asked() {
        return request != null
                ? request
                : new ParsedRequest.InvalidRequest(requestId, requestedBy, "the request was invalid");
    }

    public JournalEntry givenBack() {
        Ownership released = new Ownership(ownership.processId(), ownership.epoch(), null);
        return changed(State.RETRY, released, waiting, progress, decision, ending, parking, touches);
    }

    public JournalEntry committed(Decision decided, long expected) {
        Progress begun = new Progress(expected, 0, 0);
        return changed(State.MOVING, ownership, waiting, begun, decided, ending, parking, touches);
    }

    public JournalEntry progressed(long moved, int passes) {
        return moving(progress.to(moved, passes));
    }

    /**
     * Returns the entry with the record that the removals are complete.
     *
     * @param unreplaced the number of documents to be replaced that stay, because they are too new
     */
    public JournalEntry replaced(int unreplaced) {
        return moving(new Progress(progress.expected(), progress.moved(), progress.passes(), unreplaced));
    }

    private JournalEntry moving(Progress next) {
        return changed(State.MOVING, ownership, waiting, next, decision, ending, null, touches + 1);
    }

    /** Returns the entry in DONE, with the number of moved documents and the outcome to publish. */
    public JournalEntry done(Ending ended, long moved, int passes) {
        return changed(State.DONE, ownership, waiting, progress.to(moved, passes), decision, ended, parking, touches);
    }

    /** Returns the progress that is published. */
    public RenameProgress reported() {
        return new RenameProgress(
                requestId,
                progress.moved(),
                progress.expected(),
                progress.passes(),
                ownership.processId(),
                isRolledForward(),
                decisionTime().orElse(null));
    }

    public JournalEntry parked(Parking why) {
        return changed(State.PARKED, ownership, waiting, progress, decision, ending, why, touches);
    }

    /** Returns the entry in REJECTED, FAILED or CANCELLED, with the outcome to publish. */
    public JournalEntry ended(State end, Ending how) {
        return changed(end, ownership, waiting, progress, decision, how, parking, touches);
    }

    public JournalEntry closed() {
        return changed(State.CLOSED, ownership, waiting, progress, decision, ending, parking, touches);
    }

    /** Returns this entry for a no-op write: only the counter of no-op writes changes. */
    public JournalEntry withNoOp() {
        return changed(state, ownership, waiting, progress, decision, ending, parking, touches + 1);
    }

    private JournalEntry changed(
            State next,
            Ownership owner,
            Waiting waited,
            Progress progressed,
            @Nullable Decision decided,
            @Nullable Ending ended,
            @Nullable Parking parked,
            long withNoOp) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "the entry of " + requestId + " is " + state + " and cannot become " + next);
        }
        return new JournalEntry(
                requestId,
                request,
                requestedBy,
                digest,
                place,
                requestedAt,
                next,
                owner,
                waited,
                progressed,
                decided,
                decidedIn,
                ended,
                parked,
                withNoOp,
                repeats,
                writeTarget);
    }
}
