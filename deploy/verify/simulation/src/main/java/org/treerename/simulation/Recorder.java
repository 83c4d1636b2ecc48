package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.History.Event;
import org.treerename.checker.JournalDump;
import org.treerename.checker.Records;
import org.treerename.checker.Run;
import org.treerename.checker.TreeDump;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessState;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.store.Version;
import org.treerename.tree.Rename;

/**
 * Records the events of a run as input for the checker. The recorded order is the order in which the events take
 * effect.
 */
final class Recorder implements Cluster.Watcher {

    private final Cluster cluster;
    private final Witness witness;
    private final Supplier<Instant> now;
    private final List<Event> events = new ArrayList<>();
    private final List<Records.Request> requests = new ArrayList<>();
    private final List<Records.Outcome> outcomes = new ArrayList<>();
    private final List<Records.DeadLetter> deadLetters = new ArrayList<>();
    private final Set<String> answered = new HashSet<>();

    /** The end time of each request according to a correct clock, by request id. */
    private final Map<String, Instant> ends = new HashMap<>();

    /** The entries that a janitor has deleted. */
    private final List<JournalEntry> forgotten = new ArrayList<>();

    /** The request of each direct rename in the format of a record, by request id. */
    private final Map<String, String> direct = new LinkedHashMap<>();

    private final Tree tree;
    private final Dump dump;
    private TreeDump before;

    /**
     * @param witness a second receiver of all writes
     * @param now returns the correct time
     */
    Recorder(Cluster cluster, Tree tree, Witness witness, Supplier<Instant> now) {
        this.cluster = cluster;
        this.tree = tree;
        this.dump = new Dump(cluster, tree);
        this.witness = witness;
        this.now = now;
        this.before = new TreeDump(tree.namespace(), List.of());
    }

    /** Returns the recorded tree. */
    Tree tree() {
        return tree;
    }

    boolean isOf(LockTable.Id table) {
        return table.namespace().equals(tree.namespace().name());
    }

    /** Records the tree at the beginning of the run. */
    void begin() {
        before = dump.tree();
    }

    void sent(String requestId, RecordPosition place, Instant appendedAt, String value) {
        events.add(new Event.Sent(requestId));
        requests.add(
                new Records.Request(new JournalDump.Delivery(place.partition(), place.offset()), appendedAt, value));
    }

    /** Records that a process begins a direct rename. */
    void sentDirectly(Delivery delivery) {
        RenameRequest request = (RenameRequest) delivery.asked();
        events.add(new Event.Sent(request.requestId()));
        direct.put(request.requestId(), new String(RequestCodec.encode(request), StandardCharsets.UTF_8));
    }

    /** Records that a process has returned the outcome of a direct rename. */
    void answeredDirectly(String requestId) {
        if (answered.add(requestId)) {
            events.add(new Event.Answered(requestId));
        }
    }

    /**
     * Returns the outcomes of direct renames in the journal, by request id. If a process died before its first write,
     * the journal contains no outcome.
     */
    Map<String, String> directOutcomes() {
        return entries()
                .filter(entry -> direct.containsKey(entry.requestId()))
                .filter(entry -> entry.ended().isPresent())
                .collect(Collectors.toMap(
                        JournalEntry::requestId,
                        entry -> entry.ended().orElseThrow().outcome(),
                        (one, other) -> other));
    }

    private Stream<JournalEntry> entries() {
        return Stream.concat(cluster.control(JournalEntry.class).stream(), forgotten.stream())
                .filter(entry -> tree.hasRequest(entry.requestId()));
    }

    /**
     * Each direct rename has a record in a separate partition, because direct renames have no order, and an outcome,
     * because its caller reads the outcome in the journal.
     */
    private Records records() {
        List<Records.Request> sent = new ArrayList<>(requests);
        entries()
                .filter(entry -> entry.place().isDirect() && direct.containsKey(entry.requestId()))
                .forEach(entry -> sent.add(new Records.Request(
                        delivery(entry), entry.requestedAt(), direct.getOrDefault(entry.requestId(), ""))));
        List<Records.Outcome> seen = new ArrayList<>(outcomes);
        directOutcomes()
                .forEach((requestId, outcome) ->
                        seen.add(new Records.Outcome(requestId, ends.getOrDefault(requestId, now.get()), outcome)));
        return new Records(sent, seen, deadLetters, true);
    }

    private JournalDump.Delivery delivery(JournalEntry entry) {
        RecordPosition place = entry.place();
        int partition =
                place.isDirect() ? -1 - List.copyOf(direct.keySet()).indexOf(entry.requestId()) : place.partition();
        return new JournalDump.Delivery(partition, place.offset());
    }

    void sentUnusable(RecordPosition place, Instant appendedAt, String value) {
        requests.add(
                new Records.Request(new JournalDump.Delivery(place.partition(), place.offset()), appendedAt, value));
    }

    void keptDeadLetter(RecordPosition place, String reason) {
        deadLetters.add(new Records.DeadLetter(new JournalDump.Delivery(place.partition(), place.offset()), reason));
    }

    void published(String requestId, Instant at, String outcome) {
        if (answered.add(requestId)) {
            events.add(new Event.Answered(requestId));
        }
        outcomes.add(new Records.Outcome(requestId, at, outcome));
    }

    @Override
    public void control(Sender sender, String id, @Nullable Object earlier, @Nullable Object after, Version version) {
        if (after instanceof JournalEntry entry && entry.writeTarget() == null) {
            EntryChange change = new EntryChange(sender.step(), (JournalEntry) earlier, entry);
            if (change.decides()) {
                events.add(new Event.Decided(entry.requestId()));
            }
            if (change.ends()) {
                if (entry.state() == State.DONE) {
                    left(entry);
                }
                ends.put(entry.requestId(), now.get());
                events.add(new Event.Ended(entry.requestId()));
            }
        } else if (after == null && earlier instanceof JournalEntry entry && isEndOfARename(entry)) {
            forgotten.add(entry.seenIn(version));
        } else if (after instanceof ProcessDocument process && process.state() == ProcessState.FENCED) {
            events.add(new Event.Fenced(process.id().text()));
        }
        witness.control(sender, id, earlier, after, version);
    }

    private static boolean isEndOfARename(JournalEntry entry) {
        return entry.writeTarget() == null && entry.state() == State.CLOSED;
    }

    /** The checker treats a document that a rename did not move as written by a writer without locks. */
    private void left(JournalEntry entry) {
        Rename rename = witness.rename(entry).orElseThrow();
        for (Cluster.StoredDocument stored : tree.documents(cluster)) {
            if (DecisionWitness.isLeft(rename, entry, stored)) {
                String document = Dump.document(stored.index(), stored.id());
                events.add(new Event.Others(document, null, null));
                events.add(new Event.Others(document, Dump.path(stored.document()), Dump.digest(stored.document())));
            }
        }
    }

    /** Records that Elasticsearch has forgotten the last moves of a document. */
    void forgot(String index, String id) {
        events.add(new Event.Forgot(Dump.document(index, id)));
    }

    @Override
    public void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        witness.refused(table, hold, wanted);
    }

    @Override
    public void lostEntry(String requestId) {
        witness.lostEntry(requestId);
    }

    @Override
    public void tree(
            Sender sender,
            String index,
            String id,
            @Nullable TreeDocument earlier,
            @Nullable TreeDocument after,
            Version version) {
        JournalEntry processed = sender.processing();
        if (after != null && DocumentWitness.isOnceMore(earlier, after)) {
            if (sender.name().startsWith(Abandoners.PREFIX)) {
                // the seal of a document is an edit that changes only the version
                events.add(new Event.Others(Dump.document(index, id), Dump.path(after), Dump.digest(after)));
            }
            witness.tree(sender, index, id, earlier, after, version);
            return;
        }
        if (processed == null || processed.writeTarget() != null) {
            if (earlier == null) {
                // without this event, the checker would treat a file that a writer creates again as an edited file
                events.add(new Event.Others(Dump.document(index, id), null, null));
            }
            events.add(new Event.Others(
                    Dump.document(index, id),
                    after == null ? null : Dump.path(after),
                    after == null ? null : Dump.digest(after)));
        } else {
            events.add(new Event.Wrote(
                    processed.requestId(),
                    sender.name(),
                    Dump.document(index, id),
                    earlier == null ? "" : Dump.path(earlier),
                    after == null ? null : Dump.path(after)));
        }
        witness.tree(sender, index, id, earlier, after, version);
    }

    /**
     * Returns the whole run for the checker.
     *
     * @param leftPits whether a process may have left a point in time open
     * @param rest the time from the end of all faults until the run was at rest, and the limit of this time
     */
    Run run(boolean leftPits, Run.Bound rest) {
        int open = cluster.openPits();
        return new Run(
                before,
                dump.tree(),
                new Run.Control(
                        Dump.journal(
                                entries().filter(entry -> !DirectService.isPlaceholder(entry)), ends, this::delivery),
                        dump.locks(),
                        dump.processes(),
                        open,
                        leftPits ? open : 0),
                records(),
                new org.treerename.checker.History(events),
                List.of(rest),
                List.of());
    }

    static Run.Bound bound(long tookNanos, long atMostNanos) {
        return new Run.Bound("finishing all work", Duration.ofNanos(tookNanos), Duration.ofNanos(atMostNanos));
    }
}
