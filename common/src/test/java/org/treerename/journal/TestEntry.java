package org.treerename.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;

/**
 * Builds journal entries for tests. Each entry has the data that its state needs, even if the test does not set these
 * data.
 */
public final class TestEntry {

    private final String requestId;
    private State state = State.PREPARED;
    private Subject subject;
    private Instant requestedAt = Instant.EPOCH;
    private Ownership ownership = new Ownership("worker-1", 1, null);
    private Waiting waiting = Waiting.NONE;
    private Progress progress = new Progress(0, 0, 0);
    private @Nullable Decision decision;
    private @Nullable Version decidedIn;
    private @Nullable Ending ending;
    private Parking parking = new Parking("a document cannot be moved", List.of());
    private long noOps;
    private Repeats repeats = Repeats.NONE;

    private TestEntry(String requestId, Subject subject) {
        this.requestId = requestId;
        this.subject = subject;
    }

    /** Begins to build the entry of a request, in the state PREPARED. */
    public static TestEntry of(ParsedRequest asked) {
        RecordPosition place = new RecordPosition("rename.requests", 0, 0);
        return new TestEntry(asked.requestId(), new Subject.Delivered(asked, "digest", place));
    }

    /** Begins to build the entry of an invalid request, in the state PREPARED. */
    public static TestEntry of(String requestId) {
        return of(new InvalidRequest(requestId, null, ""));
    }

    /** Begins to build the entry of a writer, in the state HELD. */
    public static TestEntry of(String requestId, WriteTarget target) {
        return new TestEntry(requestId, new Subject.Writes(target)).in(State.HELD);
    }

    /** Begins to build an entry with all data of another entry. */
    public static TestEntry like(JournalEntry entry) {
        TestEntry copy = new TestEntry(entry.requestId(), entry.subject())
                .at(entry.requestedAt())
                .in(entry.state())
                .owner(entry.ownership())
                .waiting(entry.waiting())
                .progress(entry.progress())
                .decision(entry.decided().orElse(null))
                .decidedIn(entry.decidedIn())
                .ending(entry.ended().orElse(null))
                .noOps(entry.noOps())
                .repeats(entry.repeats());
        return entry.parking() == null ? copy : copy.parking(entry.parking());
    }

    public TestEntry digest(String digest) {
        return subject(digest, subject.place());
    }

    public TestEntry place(RecordPosition place) {
        return subject(subject.digest(), place);
    }

    private TestEntry subject(String digest, RecordPosition place) {
        subject = new Subject.Delivered(((Subject.Delivered) subject).asked(), digest, place);
        return this;
    }

    public TestEntry at(Instant time) {
        requestedAt = time;
        return this;
    }

    public TestEntry in(State next) {
        state = next;
        return this;
    }

    public TestEntry owner(Ownership next) {
        ownership = next;
        return this;
    }

    public TestEntry owner(String processId, long epoch, @Nullable String holdId) {
        return owner(new Ownership(processId, epoch, holdId));
    }

    public TestEntry waiting(Waiting next) {
        waiting = next;
        return this;
    }

    public TestEntry progress(Progress next) {
        progress = next;
        return this;
    }

    public TestEntry decision(@Nullable Decision next) {
        decision = next;
        return this;
    }

    public TestEntry decidedIn(@Nullable Version next) {
        decidedIn = next;
        return this;
    }

    public TestEntry ending(@Nullable Ending next) {
        ending = next;
        return this;
    }

    public TestEntry parking(Parking next) {
        parking = next;
        return this;
    }

    public TestEntry noOps(long next) {
        noOps = next;
        return this;
    }

    public TestEntry repeats(Repeats next) {
        repeats = next;
        return this;
    }

    public JournalEntry build() {
        return new JournalEntry(
                requestId, subject, requestedAt, ownership, waiting, phase(), decidedIn, noOps, repeats);
    }

    private Phase phase() {
        Decision made = Objects.requireNonNullElseGet(
                decision, () -> new Decision(requestedAt, ownership.processId(), Map.of(), List.of()));
        Ending end = Objects.requireNonNullElseGet(ending, () -> new Ending(requestedAt, "{}"));
        return switch (state) {
            case PREPARED, RETRY, HELD -> new Phase.Undecided(state);
            case MOVING -> new Phase.Moving(made, progress);
            case PARKED -> new Phase.Parked(made, progress, parking);
            case DONE -> new Phase.Done(made, progress, end);
            case REJECTED, FAILED, CANCELLED -> new Phase.Refused(state, end);
            case CLOSED -> new Phase.Closed(decision, progress, decision == null ? ending : end);
        };
    }
}
