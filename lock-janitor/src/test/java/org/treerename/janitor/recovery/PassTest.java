package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.journal.TakenOver;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.ReadBeforeCommit;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.BlindTreeStore;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/** Tests how many passes over the source a rename makes before it ends or is parked. */
class PassTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private static void noAnswer() {
        throw new NoAnswerException("no answer", null);
    }

    private long scans() {
        return world.calls.made().stream()
                .filter(call -> call.name().equals("tree.scan"))
                .count();
    }

    @Test
    void ends_after_one_empty_pass_and_after_a_take_over_only_after_two() {
        world.withTree();
        world.renamer().run(aToB);
        long undisturbed = scans();
        world.calls.interfere(new Interference() {
            @Override
            public void after(Call call) {
                if (call.name().equals("journal.write MOVING")) {
                    throw new AssertionError("dead");
                }
            }
        });
        Delivery back = Deliveries.of(Deliveries.rename("r1b", "files", "/b", "/a"));
        assertThatThrownBy(() -> world.renamer().run(back)).hasMessage("dead");
        world.calls.interfere(Interference.none());
        long before = scans();

        var found = world.journal.read("r1b").orElseThrow();
        world.journal.write(JournalStep.TAKE_OVER, TakenOver.by("worker-2", found.value()), found.version());
        Rename rename = new Rename("r1b", World.FILES, new TreePath("/b"), new TreePath("/a"), OnExisting.FAIL);
        OwnEntry own = new OwnEntry(
                world.journal,
                world.context("worker-2"),
                world.journal.read("r1b").orElseThrow());
        world.completion("worker-2").move(own, rename, ReadBeforeCommit.NOTHING);

        assertThat(undisturbed).isEqualTo(1);
        assertThat(scans() - before).isEqualTo(4);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
    }

    /** A tree store that answers every write of some documents with 503. */
    private record FailingTreeStore(TreeStore tree, Set<String> ids) implements ForwardingTreeStore {

        private static final TreeStore.Written FAILED = new Written.Unknown("503 unavailable_shards_exception");

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            return moves.stream()
                    .map(move -> ids.contains(move.document().ref().id())
                            ? FAILED
                            : tree.move(namespace, List.of(move)).getFirst())
                    .toList();
        }

        @Override
        public List<Written> remove(List<Removal> removals) {
            return removals.stream()
                    .map(removal -> ids.contains(removal.ref().id())
                            ? FAILED
                            : tree.remove(List.of(removal)).getFirst())
                    .toList();
        }
    }

    private Renamer renamerFailing(String... ids) {
        TreeStore tree = world.calls.around(TreeStore.class, world.tree);
        Stores failing = world.stores(new FailingTreeStore(tree, Set.of(ids)));
        return new Renamer(failing, world.context("worker-1"));
    }

    @Test
    void parks_a_rename_if_a_document_is_refused_repeatedly() {
        world.withTree();

        Renamer.Answer answer = renamerFailing("a2").run(aToB);

        assertThat(answer).isEqualTo(new Renamer.Answer.Parked());
        assertThat(world.entry("r1").parking())
                .isEqualTo(new Parking(
                        "no move was acknowledged in 50 consecutive passes",
                        List.of("a2: 503 unavailable_shards_exception")));
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void rejects_a_rename_before_its_commit_if_a_document_of_the_first_page_cannot_move() {
        world.withTree();
        world.tree.put(World.INDEX, "a0", null, "{\"path\":\"/a/odd\",\"parent\":[\"/a\",\"/q\"]}");

        world.renamer().run(aToB);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.REJECTED);
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.NOT_MOVABLE);
        assertThat(world.outcome("r1").message()).contains("a0: " + PathFields.NOT_ONE_PATH);
        assertThat(world.paths()).containsEntry("a0", "/a/odd").containsEntry("a1", "/a/1");
    }

    /** A tree store in which another program changes a document after the beginning of each scan. */
    private record BusyTreeStore(TreeStore tree, Runnable change) implements ForwardingTreeStore {

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            Scan scan = tree.scan(namespace, path, reach);
            change.run();
            return scan;
        }

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            Scan scan = tree.open(rename, snapshot);
            change.run();
            return scan;
        }
    }

    @Test
    void moves_a_document_that_changes_during_every_scan() {
        world.withTree();
        Runnable change = () -> world.tree
                .document(World.INDEX, "a2")
                .filter(document -> PathFields.path(World.FILES, document.source())
                        .filter(path -> path.startsWith("/a/"))
                        .isPresent())
                .ifPresent(document -> world.tree.put(
                        World.INDEX, "a2", null, document.source().toString()));
        Stores busy = world.stores(new BusyTreeStore(world.calls.around(TreeStore.class, world.tree), change));
        Renamer renamer = new Renamer(busy, world.context("worker-1"));

        Renamer.Answer answer = renamer.run(aToB);

        assertThat(answer).isInstanceOf(Renamer.Answer.Published.class);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void parks_a_rename_if_the_removal_of_a_replaced_document_is_refused_repeatedly() {
        world.withTree();
        world.file("old", "/old");

        Renamer.Answer answer =
                renamerFailing("old").run(Deliveries.of(Deliveries.replace("r1", "files", "/ab", "/old")));

        assertThat(answer).isEqualTo(new Renamer.Answer.Parked());
        assertThat(world.entry("r1").parking())
                .isEqualTo(new Parking("50 consecutive removals were refused", List.of("old")));
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.paths()).containsEntry("ab", "/old").doesNotContainKey("old");
    }

    @Test
    void repeats_an_unanswered_move_although_one_scan_shows_it_as_done() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 1, PassTest::noAnswer));
        Stores blind = world.stores(
                new BlindTreeStore(world.calls.around(TreeStore.class, world.tree), scan -> scan == 1, false));

        new Renamer(blind, world.context("worker-1")).run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(world.paths()).containsEntry("ab", "/c");
        assertThat(world.outcome("r1")).returns(1L, Outcome::moved);
        world.assertQuiet();
    }

    @Test
    void two_empty_passes_with_an_interrupted_scan_between_them_prove_nothing() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private int scans;
            private int moves;

            @Override
            public void before(Call call) {
                boolean isSecondScan = call.name().equals("tree.scan") && ++scans == 2;
                boolean isFirstMove = call.name().equals("tree.move") && ++moves == 1;
                if (isSecondScan || isFirstMove) {
                    noAnswer();
                }
            }
        });
        Stores blind = world.stores(new BlindTreeStore(
                world.calls.around(TreeStore.class, world.tree), scan -> scan == 1 || scan == 3, false));

        new Renamer(blind, world.context("worker-1")).run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(world.paths()).containsEntry("ab", "/c");
        world.assertQuiet();
    }

    @Test
    void repeats_an_unanswered_move_of_the_last_pass_although_one_scan_shows_it_as_done() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private int scans;
            private int moves;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.scan")) {
                    scans++;
                    if (scans <= 10) {
                        world.file("new-" + scans, "/ab/" + scans);
                    }
                } else if (call.name().equals("tree.move")) {
                    moves++;
                    if (moves == 11) {
                        noAnswer();
                    }
                }
            }
        });
        Stores blind = world.stores(
                new BlindTreeStore(world.calls.around(TreeStore.class, world.tree), scan -> scan == 11, false));

        new Renamer(blind, world.context("worker-1")).run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(world.paths()).containsEntry("ab", "/c").containsEntry("new-10", "/c/10");
    }

    @Test
    void a_dropped_rename_that_its_process_continues_does_not_end_after_one_empty_scan() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            throw new IllegalStateException("the thread ends");
        }));
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c"));
        assertThatThrownBy(() -> world.renamer().run(delivery)).hasMessage("the thread ends");
        Stores blind = world.stores(new BlindTreeStore(world.tree, scan -> scan <= 2, false));

        new Renamer(blind, world.context("worker-1")).run(delivery);

        assertThat(world.paths()).containsEntry("ab", "/c");
        world.assertQuiet();
    }

    @Test
    void keeps_an_edit_by_another_program_between_the_scan_and_the_write() {
        world.withTree();
        String edited = "{\"path\":\"/a/1\",\"parent\":\"/a\",\"name\":\"1\",\"type\":\"file\",\"size\":99}";
        world.calls.interfere(
                Interference.before("tree.move", 2, () -> world.tree.put(World.INDEX, "a1", null, edited)));

        world.renamer().run(aToB);

        assertThat(world.tree.document(World.INDEX, "a1").orElseThrow().source())
                .isEqualTo(RawJson.of(edited.replace("\"/a/1\"", "\"/b/1\"").replace("\"/a\"", "\"/b\"")));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1").moved()).isEqualTo(5);
        world.assertQuiet();
    }

    @Test
    void moves_a_document_that_is_created_below_the_source_during_the_move() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 2, () -> world.file("late", "/a/late")));

        world.renamer().run(aToB);

        assertThat(world.paths()).containsEntry("late", "/b/late");
        assertThat(world.outcome("r1")).returns(6L, Outcome::moved).returns(null, Outcome::reason);
        world.assertQuiet();
    }

    @Test
    void parks_the_rename_if_an_index_is_removed_from_its_alias_during_the_move() {
        world.tree.createIndex("files-2");
        world.tree.alias("aliased", World.INDEX);
        world.namespaces.define(Namespace.ofFiles("aliased-files", "aliased"));
        world.withTree();
        world.calls.interfere(Interference.before("tree.nextPage", 1, () -> world.tree.alias("aliased", "files-2")));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "aliased-files", "/a", "/b")));

        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        assertThat(world.entry("r1").parking())
                .asString()
                .contains("the indices of namespace aliased-files have changed since the commit");

        world.tree.alias("aliased", World.INDEX);
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void parks_the_rename_if_an_index_is_removed_from_its_alias_after_the_move() {
        world.tree.createIndex("files-2");
        world.tree.alias("aliased", World.INDEX);
        world.namespaces.define(Namespace.ofFiles("aliased-files", "aliased"));
        world.withTree();
        world.calls.interfere(Interference.before("tree.scan", 1, () -> world.tree.alias("aliased", "files-2")));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "aliased-files", "/a", "/b")));

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1")).returns(State.PARKED, JournalEntry::state);
        assertThat(world.entry("r1").parking())
                .asString()
                .contains("the indices of namespace aliased-files have changed since the commit");

        world.tree.alias("aliased", World.INDEX);
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.outcome("r1").moved()).isEqualTo(5);
    }

    @Test
    void writes_nothing_into_an_index_that_was_deleted_and_created_again_after_the_read() {
        world.withTree();
        world.calls.interfere(Interference.after("tree.open", 1, () -> world.tree.createIndex(World.INDEX)));

        world.renamer().run(aToB);

        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        assertThat(world.entry("r1").parking()).asString().contains(World.INDEX + " with uuid");
        assertThat(world.paths()).containsEntry("a", "/b").containsEntry("a1", "/a/1");
    }

    @Test
    void completes_although_the_alias_gains_an_index_without_documents_of_the_rename() {
        world.tree.createIndex("files-2");
        world.tree.alias("aliased", World.INDEX);
        world.namespaces.define(Namespace.ofFiles("aliased-files", "aliased"));
        world.withTree();
        world.calls.interfere(
                Interference.before("tree.nextPage", 1, () -> world.tree.alias("aliased", World.INDEX, "files-2")));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "aliased-files", "/a", "/b")));

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void leaves_the_documents_of_an_index_that_joins_the_alias_after_the_commit() {
        world.tree.createIndex("files-2");
        world.tree.alias("aliased", World.INDEX);
        Namespace aliased = Namespace.ofFiles("aliased-files", "aliased");
        world.namespaces.define(aliased);
        world.withTree();
        world.tree.put("files-2", "new", null, "{\"path\":\"/a/new\",\"parent\":\"/a\",\"name\":\"new\"}");
        world.calls.interfere(
                Interference.before("tree.nextPage", 1, () -> world.tree.alias("aliased", World.INDEX, "files-2")));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "aliased-files", "/a", "/b")));

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(Reason.MAY_HAVE_LEFT, Outcome::reason)
                .returns(1L, Outcome::refused)
                .returns(
                        "renamed /a to /b; documents that stay at the source because their index joined the tree after"
                                + " the commit: 1",
                        Outcome::message);
        assertThat(world.tree.paths(aliased)).containsEntry("new", "/a/new").containsEntry("a1", "/b/1");
        world.assertQuiet();
    }

    @Test
    void parks_the_rename_if_the_new_path_of_a_document_that_appears_after_the_check_would_be_too_long() {
        world.withTree();
        String path = "/a/" + "x".repeat(TreePath.MAX_CODE_POINTS - "/a/".length());
        world.calls.interfere(Interference.before("tree.nextPage", 1, () -> world.file("long", path)));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/longer")));

        assertThat(world.entry("r1"))
                .returns(State.PARKED, JournalEntry::state)
                .returns(
                        new Parking(
                                "1 documents cannot be moved",
                                List.of("long: its new path would have too many code points or segments")),
                        JournalEntry::parking);
        assertThat(world.paths()).containsEntry("long", path);
    }

    @Test
    void ends_with_a_remark_after_the_maximum_of_passes_if_documents_keep_appearing() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private int created;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.scan")) {
                    created++;
                    world.file("late" + created, "/a/late" + created);
                }
            }
        });

        world.renamer().run(aToB);

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(Reason.MAY_HAVE_LEFT, Outcome::reason);
        assertThat(world.entry("r1").progress().passes()).isEqualTo(10);
        List<String> calls = world.calls.made().stream()
                .map(Interference.Call::name)
                .filter(name -> name.startsWith("tree.") || name.equals("journal.write DONE"))
                .toList();
        assertThat(calls.subList(calls.lastIndexOf("tree.move"), calls.lastIndexOf("journal.write DONE")))
                .as("a scan refreshes the tree after the last move")
                .contains("tree.scan");
        world.assertQuiet();
    }

    @Test
    void an_outage_counts_as_no_pass() {
        world.withTree();
        int[] left = {30};
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("tree.move") && left[0]-- > 0) {
                    throw new NoAnswerException("index [files-1] blocked by: [disk full]", null);
                }
            }
        });

        world.renamer().run(aToB);

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(null, Outcome::reason)
                .returns(5L, Outcome::moved);
        assertThat(world.entry("r1").progress().passes()).isLessThan(4);
        world.assertQuiet();
    }
}
