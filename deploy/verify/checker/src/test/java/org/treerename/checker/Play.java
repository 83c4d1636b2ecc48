package org.treerename.checker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.History.Event;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/** A builder of runs for the tests of the checker. A run has no violation until a test changes a part of the run. */
final class Play {

    private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");

    final List<TreeDump.StoredDocument> before;
    final List<JournalDump.Entry> entries = new ArrayList<>();
    final List<LockDump.Hold> holds = new ArrayList<>();
    final List<LockDump.Claim> claims = new ArrayList<>();
    final List<Records.Request> requests = new ArrayList<>();
    final List<Records.Outcome> outcomes = new ArrayList<>();
    final List<Records.DeadLetter> deadLetters = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final List<Run.Bound> bounds = new ArrayList<>();
    final List<SeenView> views = new ArrayList<>();
    final TreeModel model;

    /** The documents at the end of the run, or null as long as {@link #found} has not copied them from the model. */
    @Nullable
    List<TreeDump.StoredDocument> after;

    Namespace namespace = Trees.FILES;
    long openContexts;
    private long writes = 100;
    private Duration passed = Duration.ZERO;

    Play(String... paths) {
        TreeDump dump = Trees.dump(paths);
        this.before = dump.stored();
        this.model = TreeModel.of(dump);
    }

    /** Advances the clock of the run. */
    Play later(Duration time) {
        passed = passed.plus(time);
        return this;
    }

    private Instant now() {
        return BEGIN.plus(passed).plusSeconds(events.size());
    }

    /**
     * Adds a request with all its events. The request is sent, the model decides it, its documents are moved, and its
     * outcome is published.
     */
    Play then(String id, String source, String destination) {
        return then(id, source, destination, false);
    }

    Play then(String id, String source, String destination, boolean replace) {
        sent(id, source, destination);
        decided(id, source, destination, replace);
        return ended(id);
    }

    Play sent(String id, String source, String destination) {
        Instant now = now();
        requests.add(new Records.Request(
                new JournalDump.Delivery(0, requests.size()),
                now,
                "{\"request_id\":\"" + id + "\",\"source\":\"" + source + "\",\"destination\":\"" + destination
                        + "\"}"));
        events.add(new Event.Sent(id));
        return this;
    }

    /** Adds a request with all its events, as {@link #then} does. The request contains this {@code source_id}. */
    Play thenOf(String sourceId, String id, String source, String destination) {
        sent(id, source, destination);
        Records.Request sent = requests.removeLast();
        String value = sent.value().replace("}", ",\"source_id\":\"" + sourceId + "\"}");
        requests.add(new Records.Request(sent.place(), sent.appendedAt(), value));
        return decided(id, source, destination, false).ended(id);
    }

    Play decided(String id, String source, String destination, boolean replace) {
        List<Event> wrote = new ArrayList<>();
        Way way = new Way(new TreePath(source), new TreePath(destination));
        model.at(destination)
                .filter(there -> replace && !way.changesNothing())
                .ifPresent(there -> wrote.add(new Event.Wrote(id, "worker-1", there.id(), destination, null)));
        model.forEachAtOrBelow(
                way.source(),
                (path, document) -> wrote.add(new Event.Wrote(id, "worker-1", document.id(), path, way.image(path))));
        TreeModel.Applied applied = model.apply(source, destination, replace);
        events.add(new Event.Decided(id));
        if (applied instanceof TreeModel.Applied.Renamed && !way.changesNothing()) {
            events.addAll(wrote);
        }
        String reason = applied instanceof TreeModel.Applied.Rejected rejected
                ? rejected.rejection().published()
                : null;
        return entered(id, source, destination, replace, reason);
    }

    /** Rejects a request that was already sent, and publishes the outcome. The model does not check the reason. */
    Play refused(String id, String source, String destination, String reason) {
        events.add(new Event.Decided(id));
        return entered(id, source, destination, false, reason).ended(id);
    }

    private Play entered(String id, String source, String destination, boolean replace, @Nullable String reason) {
        Instant now = now();
        String status = reason == null ? "completed" : "rejected";
        entries.add(new JournalDump.Entry(
                id,
                "closed",
                "worker-1",
                null,
                "files",
                source,
                destination,
                replace,
                0,
                null,
                null,
                requests.getLast().place(),
                reason == null ? now : null,
                ++writes,
                null,
                "{\"outcome of\":\"" + id + "\"}",
                status,
                reason));
        return this;
    }

    Play ended(String id) {
        Instant now = now().plusSeconds(1);
        entry(id, finishedAt(now));
        events.add(new Event.Ended(id));
        events.add(new Event.Answered(id));
        outcomes.add(new Records.Outcome(id, now, "{\"outcome of\":\"" + id + "\"}"));
        return this;
    }

    List<TreeDump.StoredDocument> found() {
        if (after == null) {
            after = new ArrayList<>(Trees.dump(model).stored());
            after.replaceAll(stored -> wasMoved(stored) ? numbered(stored, 7) : stored);
        }
        return after;
    }

    private boolean wasMoved(TreeDump.StoredDocument stored) {
        return events.stream()
                .anyMatch(event -> event instanceof Event.Wrote wrote
                        && wrote.document().equals(stored.document().id()));
    }

    static TreeDump.StoredDocument numbered(TreeDump.StoredDocument stored, long seqNo) {
        return new TreeDump.StoredDocument(stored.document(), stored.path(), stored.parent(), stored.name(), seqNo);
    }

    /** Replaces the documents that are at a path at the end of the run. */
    Play spoil(String path, UnaryOperator<TreeDump.StoredDocument> spoiling) {
        found().replaceAll(stored -> path.equals(stored.path()) ? spoiling.apply(stored) : stored);
        return this;
    }

    /** Returns a function that moves a document to another path. */
    static UnaryOperator<TreeDump.StoredDocument> at(String path) {
        return stored -> numbered(Trees.stored(stored.document(), path), stored.seqNo());
    }

    Play without(String path) {
        found().removeIf(stored -> path.equals(stored.path()));
        return this;
    }

    /** Adds a reader's view that shows the current documents at and below a path. */
    Play seen(String path) {
        Map<String, String> shown = new HashMap<>();
        model.forEachAtOrBelow(namespace.notation().path(path), (at, document) -> shown.put(document.id(), at));
        return seen(path, shown);
    }

    /** Adds a reader's view that shows these documents. The map contains the path of each document by its id. */
    Play seen(String path, Map<String, String> shown) {
        views.add(new SeenView(now(), now(), path, shown));
        return this;
    }

    /** Replaces the journal entry of a request. */
    Play entry(String id, UnaryOperator<JournalDump.Entry> spoiling) {
        entries.replaceAll(entry -> entry.requestId().equals(id) ? spoiling.apply(entry) : entry);
        return this;
    }

    static UnaryOperator<JournalDump.Entry> in(
            String state, @Nullable Long decided, @Nullable String status, @Nullable String reason) {
        return entry -> with(entry, state, entry.delivery(), decided, entry.finishedAt(), status, reason);
    }

    static UnaryOperator<JournalDump.Entry> deliveredAt(long offset) {
        return entry -> with(
                entry,
                entry.state(),
                new JournalDump.Delivery(0, offset),
                entry.decidedSeqNo(),
                entry.finishedAt(),
                entry.status(),
                entry.reason());
    }

    private static UnaryOperator<JournalDump.Entry> finishedAt(Instant finishedAt) {
        return entry -> with(
                entry,
                entry.state(),
                entry.delivery(),
                entry.decidedSeqNo(),
                finishedAt,
                entry.status(),
                entry.reason());
    }

    private static JournalDump.Entry with(
            JournalDump.Entry entry,
            String state,
            JournalDump.Delivery delivery,
            @Nullable Long decided,
            @Nullable Instant finishedAt,
            @Nullable String status,
            @Nullable String reason) {
        return new JournalDump.Entry(
                entry.requestId(),
                state,
                entry.owner(),
                entry.holdId(),
                entry.namespace(),
                entry.source(),
                entry.destination(),
                entry.replace(),
                entry.refusals(),
                entry.refusedBy(),
                entry.refusal(),
                delivery,
                entry.committedAt(),
                decided,
                finishedAt,
                status == null ? null : entry.outcome(),
                status,
                reason);
    }

    Run run() {
        return run(new History(events), false);
    }

    /** Returns the run without its history, like a run on real servers. */
    Run withoutHistory() {
        return run(History.UNKNOWN, true);
    }

    private Run run(History history, boolean oneClock) {
        return new Run(
                new TreeDump(namespace, before),
                new TreeDump(namespace, found()),
                new Run.Control(
                        new JournalDump(entries),
                        new LockDump(holds, claims),
                        new ProcessDump(List.of()),
                        openContexts,
                        0),
                new Records(requests, outcomes, deadLetters, oneClock),
                history,
                bounds,
                views);
    }
}
