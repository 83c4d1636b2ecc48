package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.kafka.JsonOutcomeCodec;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.producer.writer.WriteHold;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;

/**
 * Checks every write when it takes effect:
 *
 * <ul>
 *   <li>A rename removes no document after it has moved one.
 *   <li>A document is written only for a rename that moves it from its old path to its new path. The write is between
 *       the commit and the state DONE of the rename. The rename was decided for this index, and has its locks.
 *   <li>Two such renames never hold conflicting locks.
 *   <li>No lock of a decided rename is removed.
 *   <li>No request gets a lock before an older rename that waits for this lock. No request gets a lock without a
 *       journal entry.
 *   <li>While a writer holds a directory, no rename of that directory is between its commit and the state DONE.
 *   <li>An entry changes its state only as {@link State} allows.
 *   <li>Each decision is correct for the tree that the earlier decisions have made.
 * </ul>
 */
final class Witness implements Cluster.Watcher {

    /** The prefix of the ids of outside writers' documents. Outside writers use no locks. */
    static final String OUTSIDE = "outside-";

    /** The prefix of the ids of documents that writers create under a lock. They belong to the tree like its first documents. */
    static final String HELD = "held-";

    /** Receives each document that a rename has removed. */
    interface Removed {
        void by(Rename rename, String id);
    }

    /** Receives each written journal entry. The entry is null if a lock was written for a request without an entry. */
    interface Written {
        void by(Sender sender, @Nullable JournalEntry entry);
    }

    private final Cluster cluster;
    private final Stage stage;
    private final Map<String, Set<String>> owedOf = new HashMap<>();
    private final Set<String> committed = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    /**
     * Requests that have or had a journal entry. Also requests with a lost entry: the item of the entry failed, but
     * other items of the same bulk were written.
     */
    private final Set<String> entered = new HashSet<>();

    private final Set<Set<String>> outsideSoFar = new LinkedHashSet<>();
    private final List<WriteHold> holds = new ArrayList<>();
    private final ModelTree model = new ModelTree();
    private final Namespace files;
    private final Tree tree;
    private final Queue queue;
    private final Written written;
    private final Removed removed;

    /** The renames that have moved a document. */
    private final Set<String> haveMoved = new HashSet<>();

    /** The documents that may be at the path of another document. */
    private final Set<String> mayShareAPath = new HashSet<>();

    /** The requests of each partition, in the order of the log. */
    private final Map<Integer, List<Sent>> log = new HashMap<>();

    private record Sent(RenameRequest request, RecordPosition place) {}

    /** The predecessors of each request, by its id. */
    private final Map<String, List<String>> predecessors = new HashMap<>();

    /**
     * @param written the receiver of writes, which may plan faults after them
     * @param removed the receiver of removals, which may create the documents again
     */
    Witness(World world, Tree tree, Written written, Removed removed) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.tree = tree;
        this.files = tree.namespace();
        this.queue = new Queue();
        this.written = written;
        this.removed = removed;
    }

    ModelTree model() {
        return model;
    }

    boolean isCommitted(String requestId) {
        return committed.contains(requestId);
    }

    /** Notes a record of the log. */
    void sent(RenameRequest request, RecordPosition place) {
        log.computeIfAbsent(place.partition(), partition -> new ArrayList<>()).add(new Sent(request, place));
    }

    /**
     * Returns the earlier requests of a partition that conflict with a rename, and that are neither ended nor parked.
     */
    private List<String> overtaken(Rename rename, RecordPosition place) {
        return log.getOrDefault(place.partition(), List.of()).stream()
                .filter(sent -> sent.place().offset() < place.offset())
                .map(Sent::request)
                .filter(this::isTheOneOfItsId)
                .filter(request -> !request.requestId().equals(rename.requestId()))
                .filter(request -> request.lockSet(LockPolicy.of(files))
                        .filter(locks -> conflict(locks, rename.lockSet()))
                        .isPresent())
                .map(RenameRequest::requestId)
                .filter(id -> !ended.contains(id))
                .filter(id ->
                        entry(id).filter(entry -> entry.state() == State.PARKED).isEmpty())
                .toList();
    }

    /**
     * Returns whether the journal has no other request under this id. If the journal has another request, the record
     * becomes a dead letter.
     */
    private boolean isTheOneOfItsId(RenameRequest request) {
        return entry(request.requestId())
                .filter(entry -> !request.equals(entry.request()))
                .isEmpty();
    }

    void comesAfter(String requestId, List<String> others) {
        predecessors.put(requestId, others);
    }

    /** Returns the predecessors of a request that have not ended. */
    private List<String> unended(String requestId) {
        return predecessors.getOrDefault(requestId, List.of()).stream()
                .filter(id -> !ended.contains(id))
                .toList();
    }

    /**
     * Notes that a writer has acquired a hold. The hold excludes renames. Until the writer releases the hold, none of
     * these renames may be between its commit and the state DONE.
     */
    void holds(WriteHold hold) {
        Sender holder = new Sender(hold.requestId(), null);
        if (!hold.stillHeld()) {
            violated(Point.WITHIN_THE_INTERVAL, holder, "gets a hold that is lost already");
        }
        holds.add(hold);
        noneUnderWay(holder, ofWriter(hold), "gets a hold of");
    }

    private LockSet ofWriter(WriteHold hold) {
        return new WriteTarget(hold.namespace(), hold.directories())
                .lockSet(LockPolicy.of(files))
                .orElseThrow();
    }

    private void noneUnderWay(Sender sender, LockSet locks, String what) {
        for (JournalEntry other : cluster.control(JournalEntry.class)) {
            if ((other.state() == State.MOVING || other.state() == State.PARKED) && conflicts(other, locks)) {
                violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        what + " " + locks.modes().keySet() + " while " + other.requestId() + " is " + other.state());
            }
        }
    }

    private boolean conflicts(JournalEntry other, LockSet locks) {
        return rename(other).filter(rename -> conflict(rename.lockSet(), locks)).isPresent();
    }

    private static boolean conflict(LockSet one, LockSet other) {
        return one.namespace().equals(other.namespace()) && Exclusion.between(one.modes(), other.modes());
    }

    private void violated(Point point, Sender sender, String words) {
        stage.report(sender.name(), () -> "VIOLATES point " + point.number() + ": " + words);
        stage.violations().add(point, sender.name() + ": " + words);
    }

    @Override
    public void control(Sender sender, String id, @Nullable Object before, @Nullable Object after, Version version) {
        if (after instanceof JournalEntry entry) {
            entry(sender, new EntryChange(sender.step(), (JournalEntry) before, entry), version);
            queue.wrote(entry);
            written.by(sender, entry);
        } else if (after == null && before instanceof JournalEntry entry) {
            stage.happened(
                    Happening.EXPIRED_ENTRY, sender.name(), () -> "has deleted the entry of " + entry.requestId());
        } else if (after instanceof LockTable table) {
            lock(sender, before == null ? LockTable.empty(table.id()) : (LockTable) before, table);
        } else if (before instanceof LockTable table) {
            lock(sender, table, LockTable.empty(table.id()));
        } else if (after instanceof ProcessDocument process
                && before instanceof ProcessDocument earlier
                && earlier.state() == ProcessState.LIVE
                && process.state() == ProcessState.FENCED) {
            stage.happened(Happening.FENCE, sender.name(), () -> "has fenced " + process.id());
        }
    }

    private void lock(Sender sender, LockTable before, LockTable after) {
        if (after.claims().size() > before.claims().size()) {
            stage.happened(Happening.CLAIM, sender.name(), () -> "has left a claim in " + after.id());
        }
        if (after.holds().values().stream()
                .anyMatch(held -> entry(held.hold().requestId()).isEmpty())) {
            written.by(sender, null);
        }
        after.holds().forEach((holdId, held) -> {
            if (!before.isHeldBy(holdId)) {
                lockGiven(sender, after.id(), held);
            }
        });
        before.claims().forEach((requestId, claim) -> {
            LockTable.Claim left = after.claims().get(requestId);
            // another request under the same id may have replaced the claim
            if (left == null || !left.paths().equals(claim.paths())) {
                queue.lostClaim(after.id(), requestId);
            }
        });
        before.holds().forEach((holdId, held) -> {
            if (!after.isHeldBy(holdId)) {
                lockRemoved(sender, after.id(), held);
            }
        });
    }

    /** Checks a new hold in a table. */
    private void lockGiven(Sender sender, LockTable.Id table, LockTable.Held held) {
        String requestId = held.hold().requestId();
        String words = held.paths().keySet() + " in " + table;
        if (!entered.contains(requestId)) {
            violated(Point.NOTHING_LEFT, sender, requestId + " without a journal entry holds " + words);
        }
        queue.passedBy(table, held)
                .ifPresent(older -> violated(
                        Point.LIVENESS,
                        sender,
                        requestId + " passes the older request " + older + " and holds " + words));
    }

    /** Checks the removal of a hold from a table. */
    private void lockRemoved(Sender sender, LockTable.Id table, LockTable.Held held) {
        String holdId = held.hold().holdId();
        Optional<JournalEntry> holder = entry(held.hold().requestId());
        boolean counts = holder.filter(entry -> holdId.equals(entry.ownership().holdId()))
                .isPresent();
        State state = holder.map(JournalEntry::state).orElse(null);
        if (counts && (state == State.MOVING || state == State.PARKED)) {
            violated(
                    Point.WITHIN_THE_INTERVAL,
                    sender,
                    "removes the hold " + holdId + " of " + held.hold().requestId() + ", which is " + state + ", from "
                            + held.paths().keySet() + " in " + table);
        }
        if (!counts && sender.name().startsWith("janitor")) {
            stage.happened(Happening.SWEPT, sender.name(), () -> "has removed the hold " + holdId + " from " + table);
        }
    }

    @Override
    public void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        queue.refused(table, hold, wanted);
    }

    private Optional<JournalEntry> entry(String requestId) {
        return cluster.control(SimulatedJournal.id(requestId), JournalEntry.class);
    }

    @Override
    public void lostEntry(String requestId) {
        entered.add(requestId);
    }

    private void entry(Sender sender, EntryChange change, Version version) {
        JournalEntry before = change.before();
        JournalEntry after = change.after();
        entered.add(after.requestId());
        String was = before == null ? "NEW" : before.state().name();
        Supplier<String> words = () -> "has written " + after.requestId() + " " + after.state() + " in epoch "
                + after.ownership().epoch() + " at " + version.seqNo() + "/" + version.primaryTerm();
        Happening.transition(was, after.state())
                .ifPresentOrElse(
                        happening -> stage.happened(happening, sender.name(), words),
                        () -> stage.report(sender.name(), words));
        if (before != null) {
            if (!before.state().mayBecome(after.state())) {
                violated(Point.ONCE, sender, after.requestId() + " changes from " + was + " to " + after.state());
                return;
            }
            if (before.ended().isPresent() && !before.ended().equals(after.ended())) {
                violated(Point.ONCE, sender, "changes the outcome of " + after.requestId());
            }
        }
        if (!change.fitsItsStep()) {
            violated(
                    Point.ONCE,
                    sender,
                    after.requestId() + " changes from " + was + " to " + after.state() + " in the step "
                            + change.step());
        }
        if (change.takesOver() && before != null) {
            takeOver(sender, before, after);
        }
        if (after.state().isFinal()) {
            ended.add(after.requestId());
        }
        if (change.step() == JournalStep.COMMIT && change.decides()) {
            commit(sender, after);
        } else if (change.ends() && after.state() == State.REJECTED && after.request() != null) {
            reject(sender, after, after.request());
        } else if (change.ends() && after.state() == State.DONE) {
            done(sender, after);
        }
    }

    private void takeOver(Sender sender, JournalEntry before, JournalEntry after) {
        if (!after.ownership().processId().startsWith("janitor")) {
            return;
        }
        ProcessId owner = new ProcessId(before.ownership().processId());
        boolean stopped = cluster.control(SimulatedProcessStore.id(owner), ProcessDocument.class)
                .map(process -> process.state() == ProcessState.STOPPED)
                .orElse(false);
        stage.happened(
                stopped ? Happening.HAND_OVER : Happening.TAKE_OVER,
                sender.name(),
                () -> "has taken " + after.requestId() + " over from " + owner);
    }

    /** Returns the rename of an entry; empty if it is not a valid rename of this tree. */
    Optional<Rename> rename(JournalEntry entry) {
        return rename(entry, files);
    }

    /** Returns the rename of an entry; empty if it is not a valid rename of this namespace. */
    static Optional<Rename> rename(JournalEntry entry, Namespace files) {
        RenameRequest request = entry.request();
        if (request == null
                || !request.namespace().equals(files.name())
                || TreePath.problem(request.source()).isPresent()
                || TreePath.problem(request.destination()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new Rename(
                request.requestId(),
                files,
                new TreePath(request.source()),
                new TreePath(request.destination()),
                request.onExisting(),
                request.version(),
                request.sourceId()));
    }

    private void commit(Sender sender, JournalEntry entry) {
        Rename rename = rename(entry).orElseThrow();
        if (!committed.add(entry.requestId())) {
            violated(Point.ONCE, sender, entry.requestId() + " is committed twice");
        }
        List<String> unended = unended(entry.requestId());
        if (!unended.isEmpty()) {
            violated(Point.SERIAL_ORDER, sender, entry.requestId() + " is committed before the end of " + unended);
        }
        List<String> overtaken = overtaken(rename, entry.place());
        if (!overtaken.isEmpty()) {
            violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " at " + entry.place() + " is committed before the end of " + overtaken
                            + ", which precede it in the log");
        }
        holdsAll(sender, entry, rename.lockSet(), "is committed");
        for (JournalEntry other : cluster.control(JournalEntry.class)) {
            if ((other.state() == State.MOVING || other.state() == State.PARKED)
                    && !other.requestId().equals(entry.requestId())
                    && conflicts(other, rename.lockSet())) {
                violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        entry.requestId() + " is committed while " + other.requestId() + " is " + other.state());
            }
        }
        for (WriteHold hold : holds) {
            if (conflict(ofWriter(hold), rename.lockSet()) && hold.stillHeld()) {
                violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        entry.requestId() + " (" + rename.source() + " to " + rename.destination()
                                + ") is committed while " + hold + " is still held");
            }
        }
        Set<ModelTree.Judgement> right = model.judgements(rename, outsideSoFar);
        if (right.stream().noneMatch(ModelTree.Judgement.Go.class::isInstance)) {
            violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " (" + rename.source() + " to " + rename.destination()
                            + ") is committed, expected one of " + right);
        }
        Set<String> ids = new HashSet<>();
        tree.documents(cluster).forEach(standing -> {
            String path = standing.document().text(World.FILES.pathField());
            if (path != null && !rename.changesNothing() && isAtOrBelow(path, rename.source())) {
                ids.add(standing.id());
            }
        });
        owedOf.put(entry.requestId(), ids);
        model.apply(rename, entry.decided().orElseThrow().removals());
        if (tree.isSecond()) {
            stage.tally().count(Happening.SECOND_TREE_RENAMED);
        }
        if (rename.sourceId() != null) {
            stage.tally().count(Happening.UNDO_COMPLETED);
        }
        if (Objects.requireNonNull(entry.request()).replayOf() != null) {
            stage.tally().count(Happening.REPLAY_COMPLETED);
        }
    }

    /** Returns whether the text of a path is the text of another path, or the text of a path below it. */
    static boolean isAtOrBelow(String path, TreePath of) {
        return path.equals(of.text()) || path.startsWith(of.prefixOfBelow());
    }

    private void reject(Sender sender, JournalEntry entry, RenameRequest request) {
        Optional<Rename> rename = TreePath.problem(request.source()).isPresent() ? Optional.empty() : rename(entry);
        Reason reason = new JsonOutcomeCodec()
                .decode(entry.ended().orElseThrow().outcome())
                .reason();
        if (reason == Reason.UNKNOWN_PREDECESSOR) {
            stage.tally().count(Happening.UNKNOWN_PREDECESSOR);
            if (predecessors.getOrDefault(entry.requestId(), List.of()).isEmpty()) {
                violated(
                        Point.SERIAL_ORDER,
                        sender,
                        entry.requestId() + " has no predecessor, but is rejected as " + reason);
            }
            return;
        }
        if (rename.isEmpty()) {
            if (reason != Reason.INVALID_PATH) {
                violated(
                        Point.SERIAL_ORDER,
                        sender,
                        entry.requestId() + " is rejected as " + reason + ", expected " + Reason.INVALID_PATH);
            }
            return;
        }
        if (reason == Reason.SOURCE_NOT_FOUND && model.standsAnother(rename.get())) {
            stage.tally().count(Happening.UNDO_OF_ANOTHER_DOCUMENT);
        }
        Set<ModelTree.Judgement> right = model.judgements(rename.get(), outsideSoFar);
        if (reason == Reason.OLDER_VERSION ? !mayBeOlder(rename.get(), right) : !isRight(reason, right)) {
            violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " (" + request.source() + " to " + request.destination() + ") is rejected as "
                            + reason + ", expected one of " + right);
        }
    }

    private static boolean isRight(@Nullable Reason reason, Set<ModelTree.Judgement> right) {
        return reason != null && right.contains(new ModelTree.Judgement.No(reason));
    }

    /**
     * Returns whether {@link Reason#OLDER_VERSION} is a correct reason. The reason is correct only if no other reason
     * applies. Also, a document at the source or the destination must be too new, or an outside writer must have had a
     * document there.
     */
    private boolean mayBeOlder(Rename rename, Set<ModelTree.Judgement> right) {
        List<String> ends = List.of(rename.source().text(), rename.destination().text());
        boolean isNewer = tree.documents(cluster).stream()
                .filter(standing ->
                        ends.contains(String.valueOf(standing.document().text(World.FILES.pathField()))))
                .map(standing -> new Document.Ref(
                        standing.index(), standing.id(), null, standing.version(), standing.external()))
                .anyMatch(ref -> rename.removal(ref).condition().isOlderThan(ref));
        boolean wasOutside = outsideSoFar.stream().flatMap(Set::stream).anyMatch(ends::contains);
        return (isNewer || wasOutside) && right.stream().anyMatch(ModelTree.Judgement.Go.class::isInstance);
    }

    /** Returns the current paths of outside writers' documents. */
    private Set<String> outside() {
        Set<String> paths = new HashSet<>();
        tree.documents(cluster).forEach(standing -> {
            String path = standing.document().text(World.FILES.pathField());
            if (standing.id().startsWith(OUTSIDE) && path != null) {
                paths.add(path);
            }
        });
        return paths;
    }

    private void done(Sender sender, JournalEntry entry) {
        Rename rename = rename(entry).orElseThrow();
        Set<String> ids = owedOf.getOrDefault(entry.requestId(), Set.of());
        tree.documents(cluster).forEach(standing -> {
            String path = standing.document().text(World.FILES.pathField());
            if (path == null) {
                return;
            }
            if (isRefused(rename, entry, standing)) {
                refused(sender, rename, standing, path);
            } else if (ids.contains(standing.id()) && isAtOrBelow(path, rename.source())) {
                violated(
                        Point.ALL_OR_NOTHING,
                        sender,
                        entry.requestId() + " is DONE, but " + standing.id() + " is still at " + path);
            }
        });
    }

    /**
     * Returns whether a document is still at the path where the rename found it, and its version is too new for the
     * rename.
     */
    static boolean isRefused(Rename rename, JournalEntry entry, Cluster.Standing standing) {
        String path = String.valueOf(standing.document().text(World.FILES.pathField()));
        boolean isFound = !rename.changesNothing()
                && (isAtOrBelow(path, rename.source())
                        || (path.equals(rename.destination().text())
                                && entry.decided().orElseThrow().removals().stream()
                                        .anyMatch(ref -> ref.id().equals(standing.id()))));
        Document.Ref ref =
                new Document.Ref(standing.index(), standing.id(), null, standing.version(), standing.external());
        return isFound && rename.removal(ref).condition().isOlderThan(ref);
    }

    /**
     * Notes that a rename leaves a document at its path, because the document is too new. The model has the document at
     * its current path from now on.
     */
    private void refused(Sender sender, Rename rename, Cluster.Standing standing, String path) {
        stage.happened(
                Happening.REFUSED_AS_NEWER, sender.name(), () -> rename.requestId() + " leaves " + standing.id());
        if (path.equals(rename.destination().text())) {
            mayShareAPath.add(standing.id());
        }
        if (!standing.id().startsWith(OUTSIDE)) {
            model.leave(
                    standing.id(), path, "directory".equals(standing.document().text("type")));
        }
    }

    /**
     * Returns whether a document may be at the path of another document. A rename had to replace the document, but
     * another system wrote a newer version during the rename, or an outside program has created the document again.
     */
    boolean mayShareAPath(String id) {
        return mayShareAPath.contains(id);
    }

    private void holdsAll(Sender sender, JournalEntry entry, LockSet locks, String when) {
        String holdId = String.valueOf(entry.ownership().holdId());
        locks.parts().forEach((id, wanted) -> {
            Map<TreePath, LockMode> held = cluster.control(SimulatedLockStore.id(id), LockTable.class)
                    .flatMap(table -> Optional.ofNullable(table.holds().get(holdId)))
                    .<Map<TreePath, LockMode>>map(LockTable.Held::paths)
                    .orElse(Map.of());
            wanted.forEach((path, mode) -> {
                LockMode has = held.get(path);
                if (has == null || !has.isAtLeast(mode)) {
                    violated(
                            Point.WITHIN_THE_INTERVAL,
                            sender,
                            entry.requestId() + " " + when + " without its lock at " + path);
                }
            });
        });
    }

    @Override
    public void tree(
            Sender sender,
            String index,
            String id,
            @Nullable TreeDocument before,
            @Nullable TreeDocument after,
            Version version) {
        stage.report(
                sender.name(),
                () -> "has written " + id + ", now "
                        + (after == null ? "gone" : "at " + after.text(World.FILES.pathField())));
        if (id.startsWith(OUTSIDE)) {
            outsideSoFar.add(outside());
        }
        if (sender.name().startsWith(ReplacedFiles.PREFIX)) {
            mayShareAPath.add(id);
        }
        if (sender.name().startsWith(OUTSIDE)) {
            boolean edited = before != null
                    && after != null
                    && Objects.equals(before.text(World.FILES.pathField()), after.text(World.FILES.pathField()));
            if (!edited) {
                // the outside writer put the document there after these renames were decided, so they need not move it
                owedOf.values().forEach(ids -> ids.remove(id));
            }
            return;
        }
        if (before == null && after != null && id.startsWith(HELD)) {
            String path = String.valueOf(after.text(World.FILES.pathField()));
            stage.tally().count(Happening.WRITE_UNDER_A_HOLD);
            noneUnderWay(
                    sender,
                    LockPolicy.of(files).ofWriter("files", List.of(new TreePath(path).parent())),
                    "writes into");
            model.add(id, path, false);
            return;
        }
        if (before == null) {
            violated(Point.DOCUMENTS, sender, "creates the document " + id);
            return;
        }
        if (isOnceMore(before, after)) {
            return;
        }
        JournalEntry carried = sender.carrying();
        Optional<JournalEntry> found = carried == null ? Optional.empty() : entry(carried.requestId());
        if (found.isEmpty()
                || !(found.get().state() == State.MOVING || found.get().state() == State.PARKED)) {
            violated(
                    Point.WITHIN_THE_INTERVAL,
                    sender,
                    "writes " + id + " for " + (carried == null ? "no request" : carried.requestId())
                            + ": expected the state MOVING or PARKED, found "
                            + found.map(entry -> entry.state().name()).orElse("no entry"));
            return;
        }
        String uuid = found.get().decided().orElseThrow().indices().get(index);
        if (uuid == null || !cluster.isStill(index, uuid)) {
            violated(
                    Point.DOCUMENTS,
                    sender,
                    "writes " + id + " for " + found.get().requestId() + ", which was not decided for this index: "
                            + index);
        }
        Rename rename = rename(found.get()).orElseThrow();
        holdsAll(sender, found.get(), rename.lockSet(), "writes " + id);
        if (after == null) {
            removed(sender, found.get(), rename, id, before);
        } else {
            String from = before.text(files.pathField());
            // the rename has no lock of a document that an outside writer put there after the locks were acquired
            if (rename.lockSet().isOpen() && from != null && !id.startsWith(OUTSIDE)) {
                LockSet own = LockSet.documents(files.name(), List.of(new TreePath(from)));
                holdsAll(sender, found.get(), own, "moves " + id);
            }
            moved(sender, rename, id, before, after);
        }
    }

    /**
     * Returns whether a write repeats the current contents. With {@code external_gte} Elasticsearch accepts such a late
     * write with the current version.
     */
    boolean isOnceMore(@Nullable TreeDocument before, @Nullable TreeDocument after) {
        return files.rules().version() == VersionOwner.EXTERNAL_GTE
                && before != null
                && after != null
                && before.source().equals(after.source());
    }

    private void removed(Sender sender, JournalEntry entry, Rename rename, String id, TreeDocument before) {
        stage.happened(Happening.REMOVAL, sender.name(), () -> "has removed " + id);
        if (id.startsWith(OUTSIDE)) {
            stage.tally().count(Happening.REMOVAL_OF_AN_OUTSIDE_FILE);
        }
        boolean decided = entry.decided().orElseThrow().removals().stream()
                .map(Document.Ref::id)
                .anyMatch(id::equals);
        String path = before.text(World.FILES.pathField());
        if (!decided || !rename.destination().text().equals(path)) {
            violated(Point.DOCUMENTS, sender, "removes " + id + " at " + path + " for " + rename.requestId());
        }
        if (haveMoved.contains(rename.requestId())) {
            violated(
                    Point.DOCUMENTS,
                    sender,
                    "removes " + id + " at " + path + " for " + rename.requestId() + ", which has moved documents");
        }
        removed.by(rename, id);
    }

    private void moved(Sender sender, Rename rename, String id, TreeDocument before, TreeDocument after) {
        if (id.startsWith(HELD)) {
            stage.tally().count(Happening.RENAME_OF_WHAT_WAS_WRITTEN);
        }
        String from = before.text(files.pathField());
        if (from == null || !isAtOrBelow(from, rename.source())) {
            violated(
                    Point.DOCUMENTS,
                    sender,
                    "moves " + id + ", which is at " + from + ", for " + rename.requestId() + " from "
                            + rename.source());
            return;
        }
        haveMoved.add(rename.requestId());
        Document read =
                new Document(new Document.Ref(files.index(), id, null, new Version(0, 0)), from, before.source());
        Optional<RawJson> expected = PathFields.moved(files, rename.move(read));
        if (!expected.equals(Optional.of(after.source()))) {
            violated(Point.DOCUMENTS, sender, "expected " + expected + " in " + id + ", found " + after.source());
        }
    }
}
