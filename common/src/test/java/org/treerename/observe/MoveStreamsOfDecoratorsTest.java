package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.rename.World;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.PacedTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.YieldingTreeStore;

/** Tests that every decorator of a service's tree store passes calls on to the move stream of the decorated store. */
class MoveStreamsOfDecoratorsTest {

    private static final World WORLD = new World().withTree();

    /** A tree store whose move streams return all results only from {@code finish}. */
    private record Late(TreeStore tree, List<String> sent) implements ForwardingTreeStore {
        @Override
        public MoveStream moves(Namespace namespace) {
            return new MoveStream() {
                private final List<MoveResult> results = new ArrayList<>();

                @Override
                public List<MoveResult> send(List<Move> moves) {
                    sent.add("send");
                    results.add(MoveResult.of(moves, () -> tree.move(namespace, moves)));
                    return List.of();
                }

                @Override
                public boolean hasFailed() {
                    return sent.contains("failed");
                }

                @Override
                public List<MoveResult> finish() {
                    sent.add("finish");
                    return results;
                }

                @Override
                public void close() {
                    sent.add("close");
                }
            };
        }
    }

    static Stream<Map.Entry<String, UnaryOperator<TreeStore>>> decorators() {
        return Stream.of(
                Map.entry("yielding", tree -> new YieldingTreeStore(tree, WORLD.time)),
                Map.entry("paced", tree -> new PacedTreeStore(tree, WORLD.context("worker-1"), 0, () -> {})),
                Map.entry(
                        "measured",
                        tree -> Measured.of(WORLD.stores(tree), new Meters(Installation.DEFAULT), WORLD.time)
                                .tree()),
                Map.entry(
                        "traced",
                        tree -> Spans.none().traced(WORLD.stores(tree)).tree()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decorators")
    void passes_each_request_on_before_the_previous_request_is_answered(
            Map.Entry<String, UnaryOperator<TreeStore>> decorator) {
        List<String> sent = new ArrayList<>();
        TreeStore tree = decorator.getValue().apply(new Late(WORLD.tree, sent));
        List<Move> none = List.of();

        try (MoveStream stream = tree.moves(World.FILES)) {
            assertThat(stream.send(none)).isEmpty();
            assertThat(stream.send(none)).isEmpty();
            assertThat(stream.finish()).hasSize(2);
        }

        assertThat(sent).containsExactly("send", "send", "finish", "close");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decorators")
    void reports_whether_a_request_has_failed(Map.Entry<String, UnaryOperator<TreeStore>> decorator) {
        List<String> sent = new ArrayList<>();
        TreeStore tree = decorator.getValue().apply(new Late(WORLD.tree, sent));

        try (MoveStream stream = tree.moves(World.FILES)) {
            assertThat(stream.hasFailed()).isFalse();
            sent.add("failed");
            assertThat(stream.hasFailed()).isTrue();
        }
    }
}
