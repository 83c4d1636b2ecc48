package org.treerename.simulation.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.request.OnExisting;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.testservers.TestServers;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Removal;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/**
 * Tests that the simulated Elasticsearch answers like a real Elasticsearch. Runs random sequences of operations on both
 * servers, and compares every answer. Sequence numbers may differ, but must correspond to each other.
 */
class FidelityIT {

    private static final int SEQUENCES = Integer.getInteger("fidelity.sequences", 4);
    private static final int OPERATIONS = 120;
    private static final int PAGE = 3;

    private static final Elastic ELASTIC =
            Elastic.connect(Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)));
    private static final ControlIndex CONTROL = created();

    private static ControlIndex created() {
        ControlIndex control = new ControlIndex(ELASTIC);
        control.create();
        return control;
    }

    static IntStream seeds() {
        return IntStream.rangeClosed(1, SEQUENCES);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_simulation_and_elasticsearch_give_the_same_answers_to_random_operations(int seed) {
        Sequence sequence = new Sequence(seed);

        for (int i = 0; i < OPERATIONS; i++) {
            sequence.next("operation " + i);
        }

        sequence.end();
    }

    /** A value of the simulated Elasticsearch, and the corresponding value of the real Elasticsearch. */
    private record Both<T>(T simulated, T real) {}

    /** One sequence of operations, with the versions and documents that both servers have returned. */
    private static final class Sequence {
        private final Random random;
        private final String unique = UUID.randomUUID().toString();
        private final Namespace files = versioned("fidelity-" + unique);
        private final Both<Journal> journals;
        private final Both<LockStore> locks;
        private final Both<ProcessStore> processes;
        private final Both<TreeStore> trees;
        private final SimulatedTreeStore simulatedTree;
        private final RawElasticsearch raw = new RawElasticsearch(TestServers.elasticsearchUrl());

        /**
         * For each document, the versions that both servers have returned. The two versions of a pair correspond to
         * each other.
         */
        private final Map<String, List<Both<Version>>> versions = new HashMap<>();

        private final List<Both<Document>> documents = new ArrayList<>();
        private final List<Both<Scan>> scans = new ArrayList<>();
        private int made;
        private String step = "";

        Sequence(int seed) {
            random = new Random(seed);
            Cluster cluster = new Cluster();
            Wire wire = Wire.direct(cluster);
            journals = new Both<>(new SimulatedJournal(wire, cluster), new ElasticJournal(CONTROL));
            locks = new Both<>(new SimulatedLockStore(wire, cluster), new ElasticLockStore(CONTROL));
            processes = new Both<>(new SimulatedProcessStore(wire, cluster), new ElasticProcessStore(CONTROL));
            simulatedTree = new SimulatedTreeStore(wire, cluster, PAGE);
            trees = new Both<>(
                    simulatedTree, new ElasticTreeStore(ELASTIC, new ElasticTreeStore.Limits(PAGE, 1_000_000)));
            cluster.indices().create(files.index(), 3);
            raw.createTreeIndex(files.index(), 3);
        }

        /** Returns a namespace whose documents have external versions. */
        private static Namespace versioned(String index) {
            return Namespace.ofFiles("files", index)
                    .with(new Rules(Granularity.TREE, 1, VersionOwner.EXTERNAL, null, 0));
        }

        void next(String name) {
            step = name;
            switch (random.nextInt(17)) {
                case 0, 1, 2 -> prepare();
                case 3 -> createEntry();
                case 4, 5 -> writeEntry();
                case 6 -> readEntry();
                case 7 -> deleteEntry();
                case 8, 9 -> release();
                case 10 -> readLocks();
                case 11 -> process();
                case 12, 13 -> put();
                case 14 -> move();
                case 15 -> scan();
                default -> readDocumentOrExamine();
            }
        }

        void end() {
            scans.forEach(this::readToTheEnd);
            readLocks();
            step = "end";
            for (State state : State.values()) {
                same(both(
                        journals,
                        journal -> journal.in(EnumSet.of(state)).stream()
                                .filter(id -> id.endsWith(unique))
                                .toList()));
            }
            same(both(
                    processes,
                    store -> store.ids(ProcessState.LIVE).stream()
                            .filter(id -> id.text().endsWith(unique))
                            .collect(Collectors.toCollection(
                                    () -> new TreeSet<>(Comparator.comparing(ProcessId::text))))));
        }

        private static <P, T> Both<T> both(Both<P> ports, Function<P, T> operation) {
            return new Both<>(operation.apply(ports.simulated()), operation.apply(ports.real()));
        }

        private void same(Both<?> answers) {
            assertThat(answers.simulated()).describedAs(step).isEqualTo(answers.real());
        }

        private String requestId() {
            return "r" + random.nextInt(4) + "-" + unique;
        }

        private TreePath path() {
            return new TreePath(List.of("/a", "/a/x", "/b", "/b/ü y").get(random.nextInt(4)));
        }

        private LockSet lockSet() {
            SortedMap<TreePath, LockMode> modes = new TreeMap<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                modes.put(path(), random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE);
            }
            return random.nextInt(5) == 0 ? LockSet.documents(unique, modes.keySet()) : new LockSet(unique, modes);
        }

        private JournalEntry entry(String requestId, @Nullable String holdId) {
            made++;
            return TestEntry.of(requestId)
                    .place(new RecordPosition("rename.requests", 0, 1))
                    .at(Instant.parse("2026-03-01T10:00:00Z"))
                    .in(random.nextBoolean() ? State.PREPARED : State.RETRY)
                    .owner("worker-1", 1, holdId)
                    .noOps(made)
                    .build();
        }

        /**
         * Returns a random version for a condition. The result is usually the newest version of the document, and
         * rarely a version that the document never had.
         */
        private Both<Version> seen(String document) {
            List<Both<Version>> known = versions.getOrDefault(document, List.of());
            Version never = new Version(1_000_000_000, 1);
            if (known.isEmpty() || random.nextInt(10) == 0) {
                return new Both<>(never, never);
            }
            return random.nextInt(3) == 0 ? known.get(random.nextInt(known.size())) : known.getLast();
        }

        /** Checks that two versions of a document correspond to each other. */
        private void sameVersion(String document, Both<Version> found) {
            List<Both<Version>> known = versions.computeIfAbsent(document, id -> new ArrayList<>());
            Optional<Both<Version>> before = known.stream()
                    .filter(both -> both.simulated().equals(found.simulated())
                            || both.real().equals(found.real()))
                    .findFirst();
            if (before.isPresent()) {
                assertThat(found).describedAs(step).isEqualTo(before.get());
            } else {
                known.add(found);
            }
        }

        private void sameResult(String document, Both<WriteResult> results) {
            assertThat(results.simulated().getClass())
                    .describedAs(step)
                    .isEqualTo(results.real().getClass());
            if (results.simulated() instanceof WriteResult.Written simulated
                    && results.real() instanceof WriteResult.Written real) {
                sameVersion(document, new Both<>(simulated.version(), real.version()));
            }
        }

        private <T> void sameRead(String document, Both<Optional<Versioned<T>>> found) {
            same(new Both<>(
                    found.simulated().map(Versioned::value), found.real().map(Versioned::value)));
            if (found.simulated().isPresent() && found.real().isPresent()) {
                sameVersion(
                        document,
                        new Both<>(
                                found.simulated().get().version(),
                                found.real().get().version()));
            }
        }

        private void prepare() {
            String requestId = requestId();
            String holdId = "h" + random.nextInt(8) + "-" + unique;
            JournalEntry entry = entry(requestId, holdId);
            Hold hold = new Hold(holdId, "worker-1", new LockPriority(random.nextInt(3), requestId));
            String previous = random.nextBoolean() ? "h" + random.nextInt(8) + "-" + unique : null;
            LockSet set = lockSet();
            boolean creates = random.nextInt(3) == 0;
            Both<Version> seen = seen(requestId);
            Both<Prepared> prepared = new Both<>(
                    journals.simulated()
                            .prepare(new Attempt(
                                    JournalStep.ATTEMPT,
                                    entry,
                                    creates ? null : seen.simulated(),
                                    previous,
                                    hold,
                                    set)),
                    journals.real()
                            .prepare(new Attempt(
                                    JournalStep.ATTEMPT, entry, creates ? null : seen.real(), previous, hold, set)));
            same(new Both<>(prepared.simulated().taken(), prepared.real().taken()));
            same(new Both<>(prepared.simulated().refused(), prepared.real().refused()));
            same(new Both<>(prepared.simulated().changed(), prepared.real().changed()));
            sameResult(
                    requestId,
                    new Both<>(prepared.simulated().entry(), prepared.real().entry()));
        }

        private void createEntry() {
            JournalEntry entry = entry(requestId(), null);
            sameResult(entry.requestId(), both(journals, journal -> journal.create(JournalStep.ATTEMPT, entry)));
        }

        private void writeEntry() {
            JournalEntry entry = entry(requestId(), "h");
            Both<Version> seen = seen(entry.requestId());
            sameResult(
                    entry.requestId(),
                    new Both<>(
                            journals.simulated().write(JournalStep.NO_OP, entry, seen.simulated()),
                            journals.real().write(JournalStep.NO_OP, entry, seen.real())));
        }

        private void readEntry() {
            String requestId = requestId();
            sameRead(requestId, both(journals, journal -> journal.read(requestId)));
        }

        private void deleteEntry() {
            JournalEntry entry = entry(requestId(), "h");
            Both<Version> seen = seen(entry.requestId());
            same(new Both<>(
                    journals.simulated().delete(List.of(new Versioned<>(entry, seen.simulated()))),
                    journals.real().delete(List.of(new Versioned<>(entry, seen.real())))));
        }

        private void release() {
            String holdId = "h" + random.nextInt(8) + "-" + unique;
            Release release =
                    random.nextBoolean() ? Release.ofHold(holdId) : Release.ofRequest(requestId(), Set.of(holdId));
            LockSet set = random.nextInt(4) == 0 ? lockSet().opened() : lockSet();
            both(locks, store -> {
                store.release(set, release);
                return true;
            });
        }

        private void readLocks() {
            Set<LockTable.Id> tables = lockSet().parts().keySet();
            same(both(locks, store -> store.read(tables)));
            same(both(
                    locks,
                    store -> store.all().stream()
                            .filter(table -> table.id().namespace().equals(unique))
                            .sorted(Comparator.comparing(LockTable::id))
                            .toList()));
        }

        private void process() {
            ProcessId id = new ProcessId("p" + random.nextInt(3) + "-" + unique);
            ProcessDocument live = ProcessDocument.live(
                    id, "worker", "host", Duration.ofSeconds(1 + random.nextInt(3)), Instant.EPOCH, "uuid");
            Both<Version> seen = seen(id.text());
            switch (random.nextInt(4)) {
                case 0 -> sameResult(id.text(), both(processes, store -> store.create(live)));
                case 1 ->
                    sameResult(
                            id.text(),
                            new Both<>(
                                    processes.simulated().write(live.nextHeartbeat(0), seen.simulated()),
                                    processes.real().write(live.nextHeartbeat(0), seen.real())));
                case 2 ->
                    sameResult(
                            id.text(),
                            new Both<>(
                                    processes.simulated().delete(id, seen.simulated()),
                                    processes.real().delete(id, seen.real())));
                default -> sameRead(id.text(), both(processes, store -> store.read(id)));
            }
        }

        private TreePath place() {
            return new TreePath(
                    List.of("/a", "/a/x", "/a/x/y", "/ab", "/b", "/b/ü y").get(random.nextInt(6)));
        }

        private void put() {
            String id = "d" + random.nextInt(8);
            TreePath path = place();
            made++;
            String source = "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\",\"size\":%d}"
                    .formatted(path, path.parent(), path.name(), random.nextBoolean() ? "file" : "directory", made);
            long version = version();
            TreeDocument document = new TreeDocument(RawJson.of(source), null);
            same(new Both<>(
                    simulatedTree.put(files.index(), id, document, version) instanceof WriteResult.Written,
                    raw.put(files.index(), id, source, version)));
        }

        /** Returns a random external version, which may be lower than earlier versions. */
        private long version() {
            return 10L + made / 4 + random.nextInt(6);
        }

        /** Returns a random condition for a write. */
        private Condition condition() {
            return random.nextInt(3) == 0
                    ? new Condition.Above(version(), random.nextBoolean())
                    : new Condition.AsRead();
        }

        private void scan() {
            TreePath path = place();
            Reach reach = random.nextBoolean() ? Reach.AT : Reach.AT_OR_BELOW;
            Both<Scan> scan = both(trees, tree -> tree.scan(files, path, reach));
            if (random.nextInt(3) == 0) {
                scans.add(scan);
            } else {
                readToTheEnd(scan);
            }
        }

        /** Reads both scans to their ends, and compares all documents. The pages of the two scans may differ. */
        private void readToTheEnd(Both<Scan> scan) {
            SortedMap<String, Document> simulated = all(scan.simulated());
            SortedMap<String, Document> real = all(scan.real());
            assertThat(simulated.keySet()).describedAs(step).isEqualTo(real.keySet());
            simulated.forEach(
                    (id, document) -> sameDocument(new Both<>(document, Objects.requireNonNull(real.get(id)))));
        }

        private static SortedMap<String, Document> all(Scan scan) {
            SortedMap<String, Document> all = new TreeMap<>();
            try (scan) {
                for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                    page.forEach(document -> all.put(document.ref().id(), document));
                }
            }
            return all;
        }

        private void sameDocument(Both<Document> document) {
            Document simulated = document.simulated();
            Document real = document.real();
            same(new Both<>(simulated.path(), real.path()));
            same(new Both<>(simulated.source(), real.source()));
            assertThat(simulated.ref().routing())
                    .describedAs(step)
                    .isEqualTo(real.ref().routing());
            sameVersion(
                    "document " + simulated.ref().id(),
                    new Both<>(simulated.ref().version(), real.ref().version()));
            same(new Both<>(simulated.ref().external(), real.ref().external()));
            documents.add(document);
        }

        private void move() {
            if (documents.isEmpty()) {
                return;
            }
            List<Both<Document>> some = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                some.add(documents.get(documents.size() - 1 - random.nextInt(Math.min(6, documents.size()))));
            }
            Condition condition = condition();
            Both<List<Written>> answers;
            if (random.nextInt(4) == 0) {
                answers = new Both<>(
                        trees.simulated()
                                .remove(some.stream()
                                        .map(both ->
                                                new Removal(both.simulated().ref(), condition))
                                        .toList()),
                        trees.real()
                                .remove(some.stream()
                                        .map(both -> new Removal(both.real().ref(), condition))
                                        .toList()));
            } else {
                String to = place().text();
                answers = new Both<>(
                        trees.simulated()
                                .move(
                                        files,
                                        some.stream()
                                                .map(both -> new Move(
                                                        both.simulated(), to, UnaryOperator.identity(), condition))
                                                .toList()),
                        trees.real()
                                .move(
                                        files,
                                        some.stream()
                                                .map(both ->
                                                        new Move(both.real(), to, UnaryOperator.identity(), condition))
                                                .toList()));
            }
            same(new Both<>(kinds(answers.simulated()), kinds(answers.real())));
        }

        private static List<String> kinds(List<Written> answers) {
            return answers.stream()
                    .map(answer -> answer.getClass().getSimpleName())
                    .toList();
        }

        /** Reads one document, or examines the documents around the source and the destination of a rename. */
        private void readDocumentOrExamine() {
            if (random.nextBoolean() && !documents.isEmpty()) {
                Both<Document> one = documents.get(random.nextInt(documents.size()));
                Optional<Document> simulated =
                        trees.simulated().read(files, one.simulated().ref());
                Optional<Document> real = trees.real().read(files, one.real().ref());
                same(new Both<>(simulated.isPresent(), real.isPresent()));
                simulated.ifPresent(document -> sameDocument(new Both<>(document, real.orElseThrow())));
                return;
            }
            Rename rename = new Rename("r", files, place(), place().child("new"), OnExisting.REPLACE, version());
            same(both(trees, tree -> words(tree.examine(rename))));
        }

        private static List<String> words(TreeSnapshot snapshot) {
            List<String> words = new ArrayList<>(snapshot.existing().stream()
                    .map(s -> s.ref().id() + " " + s.path() + " " + s.directory())
                    .toList());
            snapshot.own().forEach(own -> words.add(own.ref().id() + " " + own.source()));
            words.sort(Comparator.naturalOrder());
            words.addAll(Arrays.asList(
                    "below " + snapshot.below(),
                    "filled " + snapshot.destinationIsFilled(),
                    "longest " + snapshot.longest()));
            return words;
        }
    }
}
