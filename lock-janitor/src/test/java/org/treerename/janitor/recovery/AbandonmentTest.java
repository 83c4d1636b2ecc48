package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.recovery.Abandonment.Answer;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.path.TreePath;
import org.treerename.rename.Renamer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

class AbandonmentTest {

    private final World world = new World().withTree();

    /** The moves that worker-1 has sent and that were refused. They may arrive again late. */
    private final List<Move> sent = new ArrayList<>();

    private TreeStore refusing(Predicate<Move> refused) {
        return new RefusingTreeStore(world.tree, move -> {
            boolean isRefused = refused.test(move);
            if (isRefused) {
                sent.add(move);
            }
            return isRefused;
        });
    }

    private static boolean isOf(Move move, String id) {
        return move.document().ref().id().equals(id);
    }

    /** Runs the rename of /a to /b in worker-1. The tree refuses the move of one document, so the rename is parked. */
    private void park(String id) {
        new Renamer(world.stores(refusing(move -> isOf(move, id))), world.context("worker-1"))
                .run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    private Abandonment abandonment() {
        return abandonment(world.journal, world.namespaces, world.tree);
    }

    private Abandonment abandonment(Journal journal, Namespaces namespaces, TreeStore tree) {
        Backoff.Factory pauses = new Backoff.Factory(world.time, IntervalFunction.of(Duration.ofMillis(100)));
        return new Abandonment(journal, namespaces, tree, world.time, pauses);
    }

    private Map<String, String> treeWith(String id, String path) {
        Map<String, String> tree = new TreeMap<>(World.treeAt("/b"));
        tree.put(id, path);
        return tree;
    }

    private void close() {
        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.CLOSED);
        world.assertQuiet();
    }

    @Test
    void a_janitor_releases_the_locks_of_an_abandoned_rename_and_publishes_its_outcome() {
        park("ad1");

        Answer answer = abandonment().abandon("r1", "me");

        assertThat(answer).isEqualTo(new Answer.Abandoned(world.entry("r1")));
        close();
        assertThat(world.outcome("r1"))
                .returns(Status.ABANDONED, Outcome::status)
                .returns(Reason.PARKED, Outcome::reason)
                .returns(
                        "abandoned by me; documents that were not moved: 1; the first: ad1; the rename was parked: 1"
                                + " documents cannot be moved, the first documents: ad1: 400 document_parsing_exception",
                        Outcome::message)
                .returns(1L, Outcome::refused)
                .returns("abandon-r1", Outcome::processId)
                .returns(world.entry("r1").progress().moved(), Outcome::moved);
        assertThat(world.paths()).isEqualTo(treeWith("ad1", "/a/d/1"));
    }

    @Test
    void a_move_that_was_sent_before_the_abandonment_is_refused_after_it() {
        park("ad1");
        abandonment().abandon("r1", "me");
        close();

        world.tree.move(World.FILES, sent);

        assertThat(sent).isNotEmpty();
        assertThat(world.paths()).isEqualTo(treeWith("ad1", "/a/d/1"));
    }

    @Test
    void a_removal_that_was_sent_before_the_abandonment_is_refused_after_it() {
        List<TreeStore.Removal> removals = parkBeforeTheRemoval();
        abandonment().abandon("r1", "me");
        close();

        world.tree.remove(removals);

        assertThat(removals).isNotEmpty();
        assertThat(world.paths()).containsEntry("b", "/b").containsEntry("a", "/a");
    }

    /** Parks the rename of /a to /b because the tree refuses to remove /b. Returns the refused removals. */
    private List<TreeStore.Removal> parkBeforeTheRemoval() {
        world.directory("b", "/b");
        List<TreeStore.Removal> removals = new ArrayList<>();
        ForwardingTreeStore refusing = new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public List<TreeStore.Written> remove(List<TreeStore.Removal> wanted) {
                removals.addAll(wanted);
                return wanted.stream()
                        .<TreeStore.Written>map(removal -> new TreeStore.Written.Refused("403 block"))
                        .toList();
            }
        };
        new Renamer(world.stores(refusing), world.context("worker-1"))
                .run(Deliveries.of(new RenameRequest("r1", "files", "/a", "/b", OnExisting.REPLACE, null)));
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        return removals;
    }

    @Test
    void counts_a_replaced_document_as_not_sealed_if_no_document_is_at_the_source() {
        parkBeforeTheRemoval();
        ForwardingTreeStore emptySource = new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public Scan scan(Namespace namespace, TreePath path, Reach reach) {
                return world.tree.scan(namespace, reach == Reach.AT ? path : new TreePath("/nothing"), reach);
            }

            @Override
            public List<TreeStore.Written> move(Namespace namespace, List<Move> moves) {
                return List.of(new TreeStore.Written.Unknown("409 version_conflict", true));
            }
        };

        abandonment(world.journal, world.namespaces, emptySource).abandon("r1", "me");

        close();
        assertThat(world.outcome("r1").message()).contains("documents that could not be sealed: 1");
    }

    @Test
    void abandons_a_rename_of_a_document_that_cannot_be_written() {
        park("ad1");

        abandonment(world.journal, world.namespaces, refusing(move -> isOf(move, "ad1")))
                .abandon("r1", "me");

        close();
        assertThat(world.outcome("r1").refused()).isEqualTo(1);
        assertThat(world.outcome("r1").message())
                .contains("documents that could not be sealed: 1; a late request of a dead process may still move or"
                        + " delete such documents");
    }

    @Test
    void abandons_a_rename_whose_index_does_not_exist_any_more() {
        park("ad1");
        ForwardingTreeStore gone = new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public Scan scan(Namespace namespace, TreePath path, Reach reach) {
                throw new RefusedException("404 index_not_found_exception");
            }
        };

        abandonment(world.journal, world.namespaces, gone).abandon("r1", "me");

        close();
        assertThat(world.outcome("r1").message())
                .contains("the documents that were not moved cannot be counted (the tree cannot be read or"
                        + " written: 404 index_not_found_exception); by the journal, at most");
    }

    /** The tree of the world with other indices, which counts its writes. */
    private final class Changed implements ForwardingTreeStore {
        private final Supplier<Map<String, String>> indices;
        private int writes;

        Changed(Supplier<Map<String, String>> indices) {
            this.indices = indices;
        }

        @Override
        public TreeStore tree() {
            return world.tree;
        }

        @Override
        public Map<String, String> indices(Namespace namespace) {
            return indices.get();
        }

        @Override
        public List<TreeStore.Written> move(Namespace namespace, List<Move> moves) {
            writes++;
            return world.tree.move(namespace, moves);
        }
    }

    @Test
    void writes_no_document_of_an_index_that_does_not_permit_renames() {
        park("ad1");
        Changed changed = new Changed(() -> {
            throw new RefusedException("the final pipeline p would change the documents");
        });

        abandonment(world.journal, world.namespaces, changed).abandon("r1", "me");

        close();
        assertThat(changed.writes).isZero();
        assertThat(world.outcome("r1").message()).contains("the final pipeline p would change the documents");
    }

    @Test
    void names_the_indices_that_have_left_the_tree_since_the_commit() {
        park("ad1");

        abandonment(world.journal, world.namespaces, new Changed(() -> Map.of("other", "uuid")))
                .abandon("r1", "me");

        close();
        assertThat(world.outcome("r1").message())
                .contains("(indices that do not belong to the tree any more: [" + World.INDEX + "])");
    }

    @Test
    void counts_no_document_as_sealed_without_two_complete_passes_in_a_row() {
        park("ad1");
        int[] passes = {0};
        ForwardingTreeStore changing = new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public List<TreeStore.Written> move(Namespace namespace, List<Move> moves) {
                passes[0]++;
                return passes[0] == Seal.MOST_PASSES
                        ? world.tree.move(namespace, moves)
                        : List.of(new TreeStore.Written.Unknown("409 version_conflict", true));
            }
        };

        abandonment(world.journal, world.namespaces, changing).abandon("r1", "me");

        close();
        assertThat(passes[0]).isEqualTo(Seal.MOST_PASSES);
        assertThat(world.outcome("r1").message()).contains("documents that could not be sealed: 1");
    }

    @Test
    void abandons_a_rename_whose_namespace_does_not_exist_any_more() {
        park("ad1");

        abandonment(world.journal, new InMemoryNamespaces(), world.tree).abandon("r1", "me");

        close();
        assertThat(world.outcome("r1").message()).contains("(no namespace is called \"files\")");
    }

    @Test
    void refuses_to_abandon_a_rename_that_a_janitor_has_continued_since_its_documents_were_sealed() {
        park("ad1");
        Unmoved sealed = abandonment().seal("r1").orElseThrow();
        assertThat(world.rollForward("janitor-1", world.stores(refusing(move -> isOf(move, "ad1"))))
                        .ofParked("r1"))
                .isEqualTo(Result.PARKED);

        assertThatThrownBy(() -> abandonment().end(sealed, "me"))
                .isInstanceOf(NoAnswerException.class)
                .hasMessageContaining("has changed since it was read");
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    @Test
    void begins_again_if_the_entry_changes_during_the_abandonment() {
        park("ad1");
        world.calls.interfere(Interference.before("journal.write DONE", 1, () -> {
            world.calls.interfere(Interference.none());
            world.rollForward("janitor-1", world.stores(refusing(move -> isOf(move, "ad1"))))
                    .ofParked("r1");
        }));

        Answer answer = abandonment(world.calls.around(Journal.class, world.journal), world.namespaces, world.tree)
                .abandon("r1", "me");

        assertThat(answer).isInstanceOf(Answer.Abandoned.class);
        close();
    }

    @Test
    void a_second_abandonment_gets_the_same_answer() {
        park("ad1");
        abandonment().abandon("r1", "me");
        close();

        Answer again = abandonment().abandon("r1", "you");

        assertThat(again).isInstanceOf(Answer.Abandoned.class);
        assertThat(world.outcome("r1").message()).startsWith("abandoned by me; ");
    }

    @Test
    void only_a_parked_rename_can_be_abandoned() {
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(abandonment().abandon("r1", "me")).isEqualTo(new Answer.NotParked(world.entry("r1")));
        assertThat(abandonment().abandon("r2", "me")).isEqualTo(new Answer.NoEntry());
    }

    @Test
    void an_examination_counts_the_documents_and_writes_nothing() {
        park("ad1");
        var before = world.tree.document(World.INDEX, "ad1");

        Unmoved unmoved = abandonment().examine("r1").orElseThrow();

        assertThat(unmoved.inWords()).isEqualTo("documents that were not moved: 1; the first: ad1");
        assertThat(world.tree.document(World.INDEX, "ad1")).isEqualTo(before);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        assertThat(abandonment().examine("r2")).isEmpty();
    }
}
