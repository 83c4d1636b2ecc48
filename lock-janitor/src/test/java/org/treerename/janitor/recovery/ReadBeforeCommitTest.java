package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.State;
import org.treerename.journal.TakenOver;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.Mover;
import org.treerename.rename.ReadBeforeCommit;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.BlindTreeStore;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/** Tests the scan before the commit, and the writes of the journal entry before each move. */
class ReadBeforeCommitTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    @BeforeEach
    void a_tree() {
        world.withTree();
    }

    /**
     * Returns the calls that scan the tree, write the journal entry, or compare or move documents, in the order of the
     * calls.
     */
    private List<String> calls() {
        return world.calls.made().stream()
                .map(Call::name)
                .filter(name -> name.startsWith("journal.write")
                        || List.of("tree.open", "tree.scan", "tree.move", "tree.indices", "tree.examine")
                                .contains(name))
                .toList();
    }

    /** Advances the time after each page of a scan. */
    private void pagesTake(Duration length) {
        world.calls.interfere(new Interference() {
            @Override
            public void after(Call call) {
                if (call.name().equals("tree.nextPage")) {
                    world.time.advance(length);
                }
            }
        });
    }

    @Test
    void commit_is_the_only_write_between_the_scan_and_all_its_moves() {
        world.renamer().run(aToB);

        assertThat(calls())
                .containsExactly(
                        "tree.indices",
                        "tree.examine",
                        "tree.indices",
                        "tree.open",
                        "journal.write MOVING",
                        "tree.move",
                        "tree.indices",
                        "tree.move",
                        "tree.move",
                        "tree.move",
                        "tree.scan",
                        "tree.indices",
                        "journal.write DONE",
                        "journal.write CLOSED");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void rename_of_one_document_opens_no_scan_before_its_commit() {
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(calls())
                .containsExactly(
                        "tree.indices",
                        "tree.examine",
                        "tree.indices",
                        "journal.write MOVING",
                        "tree.move",
                        "tree.scan",
                        "tree.indices",
                        "journal.write DONE",
                        "journal.write CLOSED");
    }

    @Test
    void rejected_rename_opens_no_scan() {
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/ab")));

        assertThat(world.outcome("r1").status()).isEqualTo(Status.REJECTED);
        assertThat(calls()).doesNotContain("tree.open", "tree.scan");
    }

    @Test
    void scan_shows_nothing_that_was_written_after_the_commit() {
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> world.file("late", "/a/late")));

        world.renamer().run(aToB);

        assertThat(world.paths()).containsEntry("late", "/b/late");
        assertThat(calls().subList(4, 14))
                .containsExactly(
                        "journal.write MOVING",
                        "tree.move",
                        "tree.indices",
                        "tree.move",
                        "tree.move",
                        "tree.move",
                        "tree.scan",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move");
    }

    @Test
    void rename_completes_if_no_scan_can_be_opened_before_the_commit() {
        world.calls.interfere(Interference.before("tree.open", 1, () -> {
            throw new NoAnswerException("no answer", null);
        }));

        world.renamer().run(aToB);

        assertThat(world.outcome("r1")).returns(5L, Outcome::moved);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    /** The check before the rename has shown that no document is at the source path itself. */
    @Test
    void source_without_a_document_is_not_read_alone_if_no_scan_can_be_opened_before_the_commit() {
        world.file("c1", "/c/1");
        world.file("c2", "/c/2");
        world.calls.interfere(Interference.before("tree.open", 1, () -> {
            throw new NoAnswerException("no answer", null);
        }));

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/c", "/d")));

        assertThat(calls().subList(4, 8))
                .containsExactly("journal.write MOVING", "tree.scan", "journal.write MOVING", "tree.indices");
        assertThat(calls().stream().filter("tree.scan"::equals)).hasSize(2);
        assertThat(world.paths()).containsEntry("c1", "/d/1").containsEntry("c2", "/d/2");
    }

    @Test
    void rename_ends_without_a_move_if_elasticsearch_refuses_the_scan_before_the_commit() {
        world.calls.interfere(Interference.before("tree.open", 1, () -> {
            throw new RefusedException("403 security_exception");
        }));

        world.renamer().run(aToB);

        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.TREE_REFUSED, Outcome::reason);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void scan_before_the_commit_is_closed_when_it_is_not_used() {
        List<String> events = new ArrayList<>();
        Stores recording = world.stores(new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public Scan open(Rename rename, TreeSnapshot snapshot) {
                Scan opened = world.tree.open(rename, snapshot);
                return new Scan() {
                    @Override
                    public List<Document> nextPage() {
                        return opened.nextPage();
                    }

                    @Override
                    public void close() {
                        events.add("close");
                        opened.close();
                    }
                };
            }

            @Override
            public List<Written> move(Namespace namespace, List<Move> moves) {
                events.add("move");
                if (events.size() == 1) {
                    throw new NoAnswerException("no answer", null);
                }
                return world.tree.move(namespace, moves);
            }
        });

        new Renamer(recording, world.context("worker-1")).run(aToB);

        assertThat(events.subList(0, 3)).containsExactly("move", "close", "move");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    /** If several documents are at the source path, the check may have read only some of them. */
    @Test
    void several_documents_at_the_source_move_first_in_a_pass_of_their_own() {
        world.directory("a-too", "/a");
        world.file("also-a", "/a");

        world.renamer().run(aToB);

        assertThat(calls().subList(3, 8))
                .as("without a scan before the commit, because it would not be used")
                .containsExactly(
                        "journal.write MOVING", "tree.scan", "journal.write MOVING", "tree.indices", "tree.move");
        assertThat(world.outcome("r1")).returns(7L, Outcome::moved);
        assertThat(world.paths()).containsEntry("a-too", "/b").containsEntry("also-a", "/b");
    }

    @Test
    void finished_rename_records_the_number_of_its_passes() {
        world.renamer().run(aToB);

        assertThat(world.entry("r1").progress().passes()).isEqualTo(2);
    }

    @Test
    void scan_that_cannot_be_read_to_its_end_is_followed_by_another_one_and_a_write() {
        world.calls.interfere(Interference.before("tree.nextPage", 2, () -> {
            throw new NoAnswerException("the point in time is gone", null);
        }));

        world.renamer().run(aToB);

        assertThat(world.outcome("r1")).returns(5L, Outcome::moved);
        assertThat(calls().subList(5, 12))
                .containsExactly(
                        "tree.move",
                        "tree.indices",
                        "tree.move",
                        "tree.scan",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move");
    }

    @Test
    void scan_before_the_commit_that_finds_nothing_does_not_end_the_move() {
        Stores blind = world.stores(new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public Scan open(Rename rename, TreeSnapshot snapshot) {
                return new BlindTreeStore(world.tree, scan -> true, false)
                        .scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
            }
        });

        new Renamer(blind, world.context("worker-1")).run(aToB);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void own_document_moves_first_and_alone() {
        List<List<String>> requests = new ArrayList<>();
        Stores recording = world.stores(new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public List<Written> move(Namespace namespace, List<Move> moves) {
                requests.add(
                        moves.stream().map(move -> move.document().ref().id()).toList());
                return world.tree.move(namespace, moves);
            }
        });

        new Renamer(recording, world.context("worker-1")).run(aToB);

        assertThat(requests).first().isEqualTo(List.of("a"));
        assertThat(requests.stream().flatMap(List::stream)).containsExactlyInAnyOrder("a", "a1", "a2", "ad", "ad1");
    }

    @Test
    void pages_that_follow_within_a_second_need_no_write() {
        IntStream.range(0, 10).forEach(i -> world.file("more" + i, "/a/more" + i));
        pagesTake(Duration.ofMillis(100));

        world.renamer().run(aToB);

        assertThat(calls().stream().filter("journal.write MOVING"::equals)).hasSize(1);
    }

    @Test
    void long_pass_compares_the_indices_and_writes_the_entry_once_a_second() {
        IntStream.range(0, 25).forEach(i -> world.file("more" + i, "/a/more" + i));
        pagesTake(Duration.ofMillis(250));

        world.renamer().run(aToB);

        // 30 documents fill 15 pages of 250 ms each, which takes 3.75 s; one write per second makes 3 writes after the
        // commit
        assertThat(calls().stream().filter("journal.write MOVING"::equals)).hasSize(4);
        assertThat(calls().stream().filter("tree.indices"::equals)).hasSize(2 + 1 + 3 + 1);
        assertThat(world.entry("r1").progress().moved()).isEqualTo(30);
    }

    @Test
    void refused_write_in_a_pass_stops_its_moves() {
        IntStream.range(0, 25).forEach(i -> world.file("more" + i, "/a/more" + i));
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            throw new AssertionError("dead");
        }));
        assertThatThrownBy(() -> world.renamer().run(aToB)).hasMessage("dead");
        OwnEntry own = new OwnEntry(
                world.stores().journal(),
                world.context("worker-1"),
                world.journal.read("r1").orElseThrow());
        List<String> afterTheTakeOver = new ArrayList<>();
        world.calls.interfere(new Interference() {
            private int writes;

            @Override
            public void before(Call call) {
                if (writes == 3) {
                    afterTheTakeOver.add(call.name());
                } else if (call.name().equals("journal.write MOVING") && ++writes == 3) {
                    var found = world.journal.read("r1").orElseThrow();
                    world.journal.write(
                            JournalStep.TAKE_OVER, TakenOver.by("worker-2", found.value()), found.version());
                }
            }

            @Override
            public void after(Call call) {
                if (call.name().equals("tree.nextPage")) {
                    world.time.advance(Duration.ofMillis(250));
                }
            }
        });
        Rename rename = new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);

        Mover.Moved moved =
                new Mover(world.stores().tree(), world.context("worker-1"), rename, own).move(ReadBeforeCommit.NOTHING);

        assertThat(moved).isEqualTo(new Mover.Moved.Lost());
        assertThat(afterTheTakeOver).isNotEmpty().doesNotContain("tree.move");
    }

    /** Another process may take over the rename while the lease is in doubt. */
    @Test
    void page_is_not_sent_while_the_lease_is_in_doubt_after_the_comparison() {
        AtomicBoolean isInDoubt = new AtomicBoolean();
        List<String> duringTheDoubt = new ArrayList<>();
        world.stop.holdWhile(isInDoubt::get);
        world.time.plan(Duration.ofSeconds(2), () -> isInDoubt.set(false));
        world.calls.interfere(new Interference() {
            private int comparisons;

            @Override
            public void before(Call call) {
                if (isInDoubt.get()) {
                    duringTheDoubt.add(call.name());
                }
            }

            @Override
            public void after(Call call) {
                // the check before the rename makes the first two comparisons
                if (call.name().equals("tree.indices") && ++comparisons == 3) {
                    isInDoubt.set(true);
                }
            }
        });

        world.renamer().run(aToB);

        assertThat(duringTheDoubt).isEmpty();
        assertThat(calls().subList(4, 10))
                .as("the first comparison is too old when the doubt ends")
                .containsExactly(
                        "journal.write MOVING",
                        "tree.move",
                        "tree.indices",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move");
    }

    @Test
    void pass_after_a_take_over_writes_the_entry_between_its_scan_and_its_moves() {
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            throw new AssertionError("dead");
        }));
        assertThatThrownBy(() -> world.renamer().run(aToB)).hasMessage("dead");
        world.calls.interfere(Interference.none());
        world.process("worker-1", ProcessState.FENCED);
        int before = calls().size();

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.CLOSED);

        // the calls are: the take-over and the first comparison, the move of the document at the source path, and the
        // pass over the documents below it
        assertThat(calls().subList(before, before + 11))
                .containsExactly(
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.scan",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move",
                        "tree.scan",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move",
                        "tree.move");
    }

    @Test
    void silent_request_stops_the_requests_of_its_pass() {
        world.calls.interfere(Interference.before("tree.move", 2, () -> {
            throw new NoAnswerException("no answer", null);
        }));

        world.renamer().run(aToB);

        assertThat(calls().subList(5, 13))
                .containsExactly(
                        "tree.move",
                        "tree.indices",
                        "tree.move",
                        "tree.scan",
                        "journal.write MOVING",
                        "tree.indices",
                        "tree.move",
                        "tree.move");
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
    }

    @Test
    void unexpected_failure_of_a_request_stops_the_requests_of_its_pass() {
        IntStream.range(0, 10).forEach(i -> world.file("more" + i, "/a/more" + i));
        List<List<TreeStore.Move>> sent = new ArrayList<>();
        Stores failing = world.stores(new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public MoveStream moves(Namespace namespace) {
                return new MoveStream() {
                    @Override
                    public List<MoveResult> send(List<Move> moves) {
                        sent.add(moves);
                        return List.of();
                    }

                    @Override
                    public boolean hasFailed() {
                        return true;
                    }

                    @Override
                    public List<MoveResult> finish() {
                        throw new IllegalStateException("a bug");
                    }

                    @Override
                    public void close() {
                        // nothing to close, because no request is in progress
                    }
                };
            }
        });
        Renamer renamer = new Renamer(failing, world.context("worker-1"));

        assertThatThrownBy(() -> renamer.run(aToB)).hasMessage("a bug");

        assertThat(sent).hasSize(1);
    }

    @Test
    void index_that_is_made_again_after_the_commit_parks_the_rename_before_a_page_moves() {
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> world.tree.createIndex(World.INDEX)));

        world.renamer().run(aToB);

        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        assertThat(world.paths())
                .containsEntry("a", "/b")
                .containsEntry("a1", "/a/1")
                .containsEntry("ad1", "/a/d/1");
    }
}
