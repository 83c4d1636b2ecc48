package org.treerename.rename;

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
import org.treerename.path.Namespace;
import org.treerename.store.Version;

/**
 * The durable intent and state of one rename, or of one hold of a writer. Its size does not depend on the subtree.
 *
 * @param request what was asked; null where the request was invalid, and of a writer
 * @param digest of the request's content
 * @param place of its first delivery; {@link RecordPosition#NOWHERE} where there was none
 * @param requestedAt when the log took its first delivery, or the writer asked
 * @param decidedIn the version of the write that decided it, be it committed, rejected, failed or cancelled: its sequence
 *     number is the rename's place in the order of all decisions; null as long as it is not decided, and in what that write
 *     itself has stored, for which {@link #seenIn} tells it
 * @param touches raised by writes that change nothing else, so that they are writes
 * @param repeats further records of the same request
 * @param writeTarget what a writer holds locks for; null of a rename
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

    /** The oldest first. */
    static final Comparator<JournalEntry> BY_AGE = Comparator.comparing(JournalEntry::age);

    private static final String UNKNOWN = "";

    /** In place of a digest: no request of the log has this one. */
    private static final String WRITES = "write";

    /**
     * Who carries the rename: the process, under this hold id. Neither is ever used twice for another carriage.
     *
     * @param epoch raised by every attempt and by every take-over: a count for people, which nothing is decided by
     * @param holdId of the attempt; null where there is none
     */
    public record Ownership(
            String processId, long epoch, @Nullable String holdId) {}

    /**
     * How often others' locks refused it, and who did so last.
     *
     * @param refusedBy the request that refused; null if none did
     * @param refusal in words, with the path
     */
    public record Waiting(
            int refusals,
            @Nullable String refusedBy,
            @Nullable String refusal) {
        static final Waiting NONE = new Waiting(0, null, null);
    }

    /** Documents to move and moved, and passes begun. */
    public record Progress(long expected, long moved, int passes) {
        static final Progress NONE = new Progress(0, 0, 0);
    }

    /**
     * What was decided with the commit.
     *
     * @param committedBy the process that decided it; who else carries it rolls it forward
     * @param indices the uuid of each concrete index by its name
     * @param removals what stands at the destination and is replaced
     * @param ownId the id of the one document at the source itself; null if there is none, or more than one
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

        /** One of a tree without a document of its own. */
        public Decision(
                Instant committedAt, String committedBy, Map<String, String> indices, List<Document.Ref> removals) {
            this(committedAt, committedBy, indices, removals, null);
        }
    }

    /** How it ended: the outcome's text, as it is published. */
    public record Ending(Instant finishedAt, String outcome) {}

    /** Why it cannot go on: the reason, and the ids of the first documents. */
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
     * Records of the same request that were delivered after the first one: asked again under the same id.
     *
     * @param places of each partition the last
     * @param lastAppendedAt when the log took the youngest of them; null if there is none
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

    /** One of a rename of whose request no second record was delivered. */
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

    /** A new entry: the first attempt of the request of this delivery. */
    static JournalEntry prepared(Delivery delivery, Ownership ownership) {
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

    /** A new entry: a writer's first attempt. */
    static JournalEntry held(ExternalWriter writer, Ownership ownership) {
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

    /** Whether a hold counts: it is that of the attempt that this entry names, in a state in which that may hold. */
    public boolean mayHold(Hold hold) {
        return state.mayHold() && hold.holdId().equals(ownership.holdId());
    }

    /** Whether a claim of its request counts. */
    public boolean mayClaim() {
        return !state.isFinal() && state != State.RETRY;
    }

    public LockPriority age() {
        return new LockPriority(requestedAt.toEpochMilli(), requestId);
    }

    /** Every record under which it was delivered, if any was; of each partition the last is among them. */
    public List<RecordPosition> places() {
        List<RecordPosition> places = new ArrayList<>(repeats.places());
        if (!place.equals(RecordPosition.NOWHERE)) {
            places.add(place);
        }
        return places;
    }

    /** In which namespace it is; empty where the request was invalid. */
    public Optional<String> namespace() {
        return Optional.ofNullable(request)
                .map(ParsedRequest.RenameRequest::namespace)
                .or(() -> Optional.ofNullable(writeTarget).map(WriteTarget::namespace));
    }

    /** Whether the log took all its records, and it ended if it did, before that. */
    public boolean isOlderThan(Instant limit) {
        Instant repeatedAt = repeats.lastAppendedAt();
        return requestedAt.isBefore(limit)
                && (repeatedAt == null || repeatedAt.isBefore(limit))
                && (ending == null || ending.finishedAt().isBefore(limit));
    }

    public Optional<Decision> decided() {
        return Optional.ofNullable(decision);
    }

    /** When it was decided, and when it was requested; empty if it is not committed. */
    public Optional<DecisionTime> decisionTime() {
        return decided().map(made -> new DecisionTime(requestedAt, made.committedAt()));
    }

    public Optional<Ending> ended() {
        return Optional.ofNullable(ending);
    }

    /** Whether another process than the one that carries it decided it. */
    boolean isRolledForward() {
        return decision != null && !decision.committedBy().equals(ownership.processId());
    }

    /** Whether it is one of a request that names this namespace, or of a writer who does. */
    boolean isIn(String namespace) {
        return namespace().equals(Optional.of(namespace));
    }

    /**
     * The lock set of the request, or of the writer, as it was asked; without a lock where that is none. Where nobody knows
     * the namespace its locking is guessed: what is given back is named by its hold, so a wrong guess does no harm, and
     * what it misses is swept.
     */
    LockSet lockSetAsAsked(Function<String, Optional<Namespace>> namespaces) {
        Optional<String> name = namespace().filter(Namespace::isName);
        if (name.isEmpty()) {
            return LockSet.NONE;
        }
        LockPolicy locking = name.flatMap(namespaces).map(LockPolicy::of).orElse(LockPolicy.guessed());
        return Optional.ofNullable(request)
                .flatMap(asked -> asked.lockSet(locking))
                .or(() -> Optional.ofNullable(writeTarget).flatMap(asked -> asked.lockSet(locking)))
                .orElse(LockSet.NONE);
    }

    /** What gives back all that this entry's request may have in lock tables. */
    Release releaseOfAll() {
        String holdId = ownership.holdId();
        return Release.ofRequest(requestId, holdId == null ? Set.of() : Set.of(holdId));
    }

    /** What gives back the hold of this entry's attempt and leaves its claims. */
    Release releaseOfHold() {
        return Release.ofHold(String.valueOf(ownership.holdId()));
    }

    /**
     * What a read or an acknowledged write of this entry in this version shows. No write knows its own version; the first one
     * over the write that decided carries it on, and no other came between, as each is conditional.
     */
    public JournalEntry seenIn(Version version) {
        return decidedIn == null && state.isDecided() ? decidedIn(version) : this;
    }

    /** The same, to be written over what was seen, which knows where it was decided, if it was. */
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

    JournalEntry attempted(Ownership next, Waiting waited) {
        State attempted = writeTarget == null ? State.PREPARED : State.HELD;
        return changed(attempted, next, waited, progress, decision, ending, parking, touches);
    }

    public JournalEntry refused(Waiting waited) {
        return changed(state, ownership, waited, progress, decision, ending, parking, touches);
    }

    /** Another process becomes the owner; everything else stays. */
    JournalEntry takenOver(String processId) {
        Ownership next = new Ownership(processId, ownership.epoch() + 1, ownership.holdId());
        return changed(state, next, waiting, progress, decision, ending, parking, touches);
    }

    /** For a hold whose request has no entry: one that is given back, which the request's delivery makes its own. */
    static JournalEntry placeholder(String requestId, String processId, Instant now) {
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

    /** Whether it is that of no request, as long as none is delivered. */
    public boolean isPlaceholder() {
        return digest.equals(UNKNOWN);
    }

    /** Whether a delivery is one of this entry's request. */
    boolean isOf(Delivery delivery) {
        return isPlaceholder() || digest.equals(delivery.digest());
    }

    /** A placeholder becomes the entry of the request that is delivered; any other keeps where else it was delivered. */
    JournalEntry deliveredBy(Delivery delivery) {
        if (isPlaceholder()) {
            return prepared(delivery, ownership);
        }
        return place.equals(delivery.place()) ? this : repeated(repeats.and(delivery));
    }

    /** With the records of {@code other}, which is the same entry as somebody touched it. */
    JournalEntry repeatedAs(JournalEntry other) {
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

    /** What was asked, as far as the entry knows. */
    ParsedRequest asked() {
        return request != null
                ? request
                : new ParsedRequest.InvalidRequest(requestId, requestedBy, "the request was not one");
    }

    JournalEntry givenBack() {
        Ownership none = new Ownership(ownership.processId(), ownership.epoch(), null);
        return changed(State.RETRY, none, waiting, progress, decision, ending, parking, touches);
    }

    JournalEntry committed(Decision decided, long expected) {
        Progress begun = new Progress(expected, 0, 0);
        return changed(State.MOVING, ownership, waiting, begun, decided, ending, parking, touches);
    }

    JournalEntry progressed(long moved, int passes) {
        Progress next = new Progress(progress.expected(), moved, passes);
        return changed(State.MOVING, ownership, waiting, next, decision, ending, null, touches + 1);
    }

    /** Ended in DONE, with all that has moved, and the outcome as it will be published. */
    JournalEntry done(Ending ended, long moved, int passes) {
        Progress last = new Progress(progress.expected(), moved, passes);
        return changed(State.DONE, ownership, waiting, last, decision, ended, parking, touches);
    }

    /** How far it has come, for those who listen. */
    RenameProgress told() {
        return new RenameProgress(
                requestId,
                progress.moved(),
                progress.expected(),
                progress.passes(),
                ownership.processId(),
                isRolledForward(),
                decisionTime().orElse(null));
    }

    JournalEntry parked(Parking why) {
        return changed(State.PARKED, ownership, waiting, progress, decision, ending, why, touches);
    }

    /** Ended in REJECTED, FAILED or CANCELLED, with the outcome as it will be published. */
    JournalEntry ended(State end, Ending how) {
        return changed(end, ownership, waiting, progress, decision, how, parking, touches);
    }

    JournalEntry closed() {
        return changed(State.CLOSED, ownership, waiting, progress, decision, ending, parking, touches);
    }

    /** The same once more, as another document. */
    JournalEntry touched() {
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
            long touched) {
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
                touched,
                repeats,
                writeTarget);
    }
}
