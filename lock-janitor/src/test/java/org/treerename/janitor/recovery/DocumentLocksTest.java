package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.lock.ForwardingLockStore;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.tree.InMemoryTreeStore;

/**
 * Tests renames in a namespace that locks each document. {@link LostAnswersTest} and {@link RollForwardTest} test the
 * deaths of processes that run these renames.
 */
class DocumentLocksTest {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private final World world = new World(Granularity.DOCUMENT).withTree();

    /**
     * Returns the paths that r1 has locked exclusively. If {@code asDocuments} is true, reads only the tables of single
     * documents; otherwise only the tables of path groups.
     */
    private Set<String> held(boolean asDocuments) {
        return world.locks.tables().stream()
                .filter(table -> table.id().ofDocument() == asDocuments)
                .flatMap(table -> table.holds().values().stream())
                .filter(held -> held.hold().requestId().equals("r1"))
                .flatMap(held -> held.paths().entrySet().stream())
                .filter(lock -> lock.getValue() == LockMode.EXCLUSIVE)
                .map(lock -> lock.getKey().text())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> heldDocuments() {
        return held(true);
    }

    /** Runs the rename. Returns the documents that were locked when the rename examined the tree. */
    private Set<String> lockedWhenChecked(Delivery delivery) {
        Set<String> locked = new TreeSet<>();
        world.calls.interfere(Interference.before("tree.examine", 1, () -> locked.addAll(heldDocuments())));
        world.renamer().run(delivery);
        return locked;
    }

    /** Locks one document, and nothing above it, for another request. */
    private void lockAlone(String path, LockPriority age) {
        Delivery delivery = Deliveries.of(Deliveries.rename(age.requestId(), "files", path, path), 0, world.time.now());
        world.journal.prepare(new Attempt(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(delivery, new Ownership("worker-9", 1, "hold-of-other")),
                null,
                null,
                new Hold("hold-of-other", "worker-9", age),
                document(path)));
    }

    private static LockSet document(String path) {
        return LockSet.documents("files", List.of(new TreePath(path)));
    }

    private void otherEnds(String path) {
        world.otherEnds(path, path);
        world.locks.release(document(path), Release.ofHold("hold-of-other"));
    }

    @Test
    void locks_every_document_below_the_source_before_the_decision_and_releases_all_afterwards() {
        Set<String> locked = lockedWhenChecked(A_TO_B);

        assertThat(locked).containsExactlyInAnyOrder("/a", "/a/1", "/a/2", "/a/d", "/a/d/1");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void locks_source_and_destination_in_tables_of_buckets() {
        Set<String> locked = new TreeSet<>();
        world.calls.interfere(Interference.before("tree.examine", 1, () -> locked.addAll(held(false))));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a/d", "/c/e/f")));

        assertThat(locked).containsExactly("/a/d", "/c/e/f");
        world.assertQuiet();
    }

    @Test
    void locks_only_the_path_of_a_file() {
        assertThat(lockedWhenChecked(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/b"))))
                .containsExactly("/ab");
        world.assertQuiet();
    }

    @Test
    void locks_a_document_that_is_created_without_locks_during_the_scan() {
        Set<String> locked = new TreeSet<>();
        world.calls.interfere(new Interference() {
            private boolean put;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.nextPage") && !put) {
                    put = true;
                    world.file("late", "/a/late");
                } else if (call.name().equals("tree.examine")) {
                    locked.addAll(heldDocuments());
                }
            }
        });

        world.renamer().run(A_TO_B);

        assertThat(locked).contains("/a/late");
        assertThat(world.paths()).containsEntry("late", "/b/late");
        world.assertQuiet();
    }

    /**
     * The rename makes ten scans in order to lock documents. After the tenth scan, the passes begin, and move the
     * documents that they find. A document that is created after the last pass stays at the source.
     */
    @Test
    void is_decided_although_documents_are_created_without_locks_all_the_time() {
        int[] scans = {0};
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("tree.scan") && world.paths().containsValue("/a")) {
                    scans[0]++;
                    world.file("late" + scans[0], "/a/late" + scans[0]);
                }
            }
        });

        world.renamer().run(A_TO_B);

        assertThat(scans[0]).isEqualTo(10);
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).containsEntry("late10", "/b/late10").doesNotContainValue("/a/late10");
        world.assertQuiet();
    }

    @Test
    void scans_again_after_a_lost_answer_although_nothing_seems_to_have_changed() {
        Set<String> locked = new TreeSet<>();
        world.calls.interfere(new Interference() {
            private int pages;
            private int prepares;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.nextPage") && ++pages == 1) {
                    world.file("late", "/a/d/late");
                } else if (call.name().equals("tree.examine")) {
                    locked.addAll(heldDocuments());
                }
            }

            @Override
            public void after(Call call) {
                if (call.name().equals("journal.prepare") && ++prepares == 2) {
                    throw new NoAnswerException("lost", null);
                }
            }
        });

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a/d", "/b")));

        assertThat(locked).contains("/a/d/1", "/a/d/late");
        world.assertQuiet();
    }

    /**
     * Returns the number of locks in each lock request of a rename. The source contains {@code files} files, whose
     * names have {@code length} characters.
     */
    private List<Integer> locksOfEachRequest(int files, int length) {
        return locksOfEachRequest(files, length, 10_000);
    }

    private List<Integer> locksOfEachRequest(int files, int length, int pageSize) {
        InMemoryTreeStore large = new InMemoryTreeStore(pageSize);
        large.createIndex(World.INDEX);
        for (int i = 0; i < files; i++) {
            String name = String.valueOf(i);
            String path = "/a/" + "n".repeat(length - name.length()) + name;
            large.put(World.INDEX, "f" + i, null, "{\"path\":\"%s\",\"type\":\"file\"}".formatted(path));
        }
        List<Integer> sizes = new ArrayList<>();
        Stores stores = world.stores(large);
        Journal watched = new Watched(stores.journal(), sizes);

        new Renamer(
                        new Stores(stores.namespaces(), watched, stores.locks(), large, stores.outcomes()),
                        world.context("worker-1"))
                .run(A_TO_B);

        assertThat(world.outcome("r1")).returns((long) files, Outcome::moved);
        world.assertQuiet();
        return sizes;
    }

    @Test
    void locks_many_documents_by_several_requests_that_each_write_the_entry() {
        // the requests lock the source and the destination, then every document, then every document once more
        assertThat(locksOfEachRequest(2_500, 6)).containsExactly(2, 1_000, 1_000, 500, 1_000, 1_000, 500);
    }

    @Test
    void locks_the_documents_of_several_pages_by_one_request() {
        assertThat(locksOfEachRequest(2_500, 6, 300)).containsExactly(2, 1_000, 1_000, 500, 1_000, 1_000, 500);
    }

    @Test
    void locks_fewer_documents_per_request_if_their_paths_are_long() {
        assertThat(locksOfEachRequest(300, 3_997)).containsExactly(2, 251, 49, 251, 49);
    }

    private record Watched(Journal journal, List<Integer> sizes) implements ForwardingJournal {
        @Override
        public Prepared prepare(Attempt attempt) {
            long noOps = attempt.entry().noOps();
            Prepared prepared = journal.prepare(attempt);
            assertThat(read(attempt.entry().requestId()).orElseThrow().value().noOps())
                    .isEqualTo(noOps);
            sizes.add(attempt.locks().modes().size());
            return prepared;
        }
    }

    @Test
    void waits_for_a_locked_document_with_one_claim_and_no_hold() {
        lockAlone("/a/d/1", new LockPriority(1, "other"));
        List<LockTable> meanwhile = new ArrayList<>();
        world.time.plan(Duration.ofSeconds(1), () -> {
            meanwhile.addAll(world.locks.tables());
            otherEnds("/a/d/1");
        });

        Answer answer = world.renamer().run(A_TO_B);

        assertThat(answer)
                .isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(meanwhile).singleElement().satisfies(lock -> {
            assertThat(lock.id()).isEqualTo(new LockTable.Id("files", "/a/d/1", true));
            assertThat(lock.holds()).containsOnlyKeys("hold-of-other");
            assertThat(lock.claims()).containsOnlyKeys("r1");
        });
        assertThat(world.entry("r1").waiting().refusal())
                .isEqualTo("/a/d/1 is held exclusively by request other of process worker-9");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    /** Records the ids of the tables that are read. */
    private record RecordedReads(LockStore locks, List<LockTable.Id> reads) implements ForwardingLockStore {
        @Override
        public List<LockTable> read(Collection<LockTable.Id> tables) {
            reads.addAll(tables);
            return locks.read(tables);
        }
    }

    @Test
    void reads_only_the_tables_of_documents_that_refuse_it_while_it_waits() {
        lockAlone("/a/2", new LockPriority(1, "other"));
        world.time.plan(Duration.ofSeconds(1), () -> otherEnds("/a/2"));
        List<LockTable.Id> reads = new ArrayList<>();
        Stores stores = world.stores();
        LockStore recorded = new RecordedReads(stores.locks(), reads);

        new Renamer(
                        new Stores(stores.namespaces(), stores.journal(), recorded, stores.tree(), stores.outcomes()),
                        world.context("worker-1"))
                .run(A_TO_B);

        assertThat(reads)
                .filteredOn(LockTable.Id::ofDocument)
                .extracting(LockTable.Id::name)
                .containsOnly("/a/2");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void fails_if_a_document_stays_locked_for_too_long() {
        lockAlone("/a/d/1", new LockPriority(1, "other"));

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1"))
                .returns(Reason.LOCKED, Outcome::reason)
                .returns(
                        "waited 10 s: /a/d/1 is held exclusively by request other of process worker-9",
                        Outcome::message);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        otherEnds("/a/d/1");
        world.assertQuiet();
    }

    @Test
    void acquires_its_locks_when_a_sweep_has_removed_a_dead_hold_of_documents() {
        world.time.plan(Duration.ofSeconds(5), () -> world.sweep("janitor-1").sweep());
        Hold late = new Hold("late", "worker-0", A_TO_B.age());
        for (String path : List.of("/a/1", "/a/d/1", "/elsewhere")) {
            world.locks.take(document(path), late);
        }

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void a_worker_that_stops_while_it_locks_documents_gives_back_and_the_next_delivery_completes() {
        world.calls.interfere(Interference.after("journal.prepare", 2, world.stop::request));

        Answer answer = world.renamer().run(A_TO_B);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.locks.tables()).isEmpty();
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);

        world.renamer("worker-2").stoppedBy(new StopSignal()).run(A_TO_B);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_worker_that_loses_its_entry_while_it_locks_documents_releases_its_hold_and_begins_again() {
        world.calls.interfere(Interference.before("journal.prepare", 3, () -> {
            Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
            world.journal.write(JournalStep.RETRY, found.value().released(), found.version());
        }));

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_worker_that_is_fenced_while_it_locks_documents_releases_nothing() {
        world.calls.interfere(Interference.after("journal.prepare", 2, world.stop::abandon));

        assertThatThrownBy(() -> world.renamer().run(A_TO_B)).isInstanceOf(FencedException.class);

        assertThat(held(false)).containsExactly("/a", "/b");
        assertThat(heldDocuments()).hasSizeGreaterThan(1);
        assertThat(world.entry("r1").state()).isEqualTo(State.PREPARED);
    }

    @Test
    void fails_without_a_move_if_the_tree_cannot_be_read() {
        world.calls.interfere(Interference.before("tree.nextPage", 1, () -> {
            throw new RefusedException("too large to be read");
        }));

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1"))
                .returns(Reason.TREE_REFUSED, Outcome::reason)
                .returns("too large to be read", Outcome::message);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    @Test
    void locks_no_document_for_a_rename_that_can_only_be_rejected() {
        Set<String> locked = lockedWhenChecked(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/a/d/x")));

        assertThat(locked).isEmpty();
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INTO_ITSELF);
        world.assertQuiet();
    }

    @Test
    void moves_a_document_with_an_invalid_path_without_a_lock() {
        world.tree.put(World.INDEX, "odd", null, "{\"path\":\"/a//odd\",\"type\":\"file\"}");

        assertThat(lockedWhenChecked(A_TO_B)).doesNotContain("/a//odd").contains("/a/d/1");
        assertThat(world.paths()).containsEntry("odd", "/b//odd");
        world.assertQuiet();
    }

    @Test
    void a_sweep_removes_all_holds_of_a_late_request_and_reads_its_entry_once() {
        Hold late = new Hold("late", "worker-0", A_TO_B.age());
        List<TreePath> paths =
                IntStream.range(0, 1_500).mapToObj(i -> new TreePath("/a/" + i)).toList();
        world.locks.take(LockSet.documents("files", paths), late);

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(1_500);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(world.calls.made().stream()
                        .collect(Collectors.groupingBy(Interference.Call::name, Collectors.counting())))
                .containsAllEntriesOf(Map.of("journal.read", 1L, "journal.create RETRY", 1L));
    }
}
