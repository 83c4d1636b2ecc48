package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;
import org.treerename.path.Rules;
import org.treerename.path.TreePath;
import org.treerename.path.VersionOwner;
import org.treerename.process.FencedException;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Reach;
import org.treerename.rename.TreeStore.Scan;

class PacedTreeStoreTest {

    private final World world = new World();
    private final AtomicInteger waits = new AtomicInteger();
    private TreeStore paced = world.tree;

    @BeforeEach
    void ten_documents_per_second() {
        IntStream.range(0, 40).forEach(i -> world.file("f" + i, "/a/" + i));
        paced = new PacedTreeStore(world.tree, world.context("worker-1"), 10, waits::incrementAndGet);
    }

    private List<Move> moves(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> {
                    try (Scan scan = world.tree.scan(World.FILES, new TreePath("/a/" + i), Reach.AT)) {
                        return new Move(scan.nextPage().getFirst(), "/b/" + i);
                    }
                })
                .toList();
    }

    private Duration elapsed() {
        return Duration.ofNanos(world.time.nanos());
    }

    @Test
    void what_is_moved_waits_for_what_was_moved_before_it() {
        paced.move(World.FILES, moves(0, 5));
        assertThat(elapsed()).isZero();

        paced.move(World.FILES, moves(5, 10));
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(500));

        paced.move(World.FILES, moves(15, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void requests_of_a_stream_wait_for_their_turn_as_well() {
        try (MoveStream stream = paced.moves(World.FILES)) {
            assertThat(stream.send(moves(0, 5))).hasSize(1);
            assertThat(elapsed()).isZero();

            stream.send(moves(5, 10));
            assertThat(elapsed()).isEqualTo(Duration.ofMillis(500));
        }
    }

    @Test
    void a_page_larger_than_the_limit_goes_and_the_next_one_waits_the_longer() {
        paced.move(World.FILES, moves(0, 30));
        assertThat(elapsed()).isZero();

        paced.move(World.FILES, moves(30, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_move_that_waits_for_its_turn_reports_again_and_again_that_it_goes_on() {
        paced.move(World.FILES, moves(0, 30));
        assertThat(waits).hasValue(0);

        paced.move(World.FILES, moves(30, 1));

        assertThat(waits).hasValue(15);
    }

    @Test
    void what_was_not_used_up_is_not_saved_up() {
        world.time.advance(Duration.ofMinutes(1));

        paced.move(World.FILES, moves(0, 10));
        paced.move(World.FILES, moves(10, 10));

        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(61));
    }

    @Test
    void who_is_fenced_while_it_waits_moves_nothing() {
        paced.move(World.FILES, moves(0, 20));
        world.time.plan(Duration.ofSeconds(1), world.stop::abandon);
        List<Move> next = moves(20, 1);

        assertThatThrownBy(() -> paced.move(World.FILES, next)).isInstanceOf(FencedException.class);

        assertThat(world.paths()).containsEntry("f20", "/a/20");
        assertThat(elapsed()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void who_is_in_doubt_when_its_turn_comes_waits_until_it_is_not() {
        AtomicBoolean doubt = new AtomicBoolean();
        world.stop.holdWhile(doubt::get);
        paced.move(World.FILES, moves(0, 10));
        world.time.plan(Duration.ofMillis(900), () -> doubt.set(true));
        world.time.plan(Duration.ofSeconds(5), () -> doubt.set(false));

        paced.move(World.FILES, moves(10, 1));

        assertThat(elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    }

    private static Namespace slow(String name, int documentsPerSecond) {
        return new Namespace(
                name,
                World.INDEX,
                World.FILES.notation(),
                World.FILES.fields(),
                World.FILES.directories(),
                new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, null, documentsPerSecond));
    }

    @Test
    void the_smaller_limit_of_process_and_namespace_counts() {
        paced.move(slow("slow", 5), moves(0, 5));
        paced.move(slow("slow", 5), moves(5, 5));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1));

        paced.move(slow("fast", 1_000), moves(10, 10));
        paced.move(slow("fast", 1_000), moves(20, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void a_namespace_has_its_limit_where_the_process_has_none() {
        paced = new PacedTreeStore(world.tree, world.context("worker-1"), 0, waits::incrementAndGet);
        paced.move(slow("slow", 5), moves(0, 5));
        paced.move(World.FILES, moves(5, 30));
        paced.move(World.FILES, moves(35, 1));
        assertThat(elapsed()).isZero();
        paced.move(slow("slow", 5), moves(36, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void without_a_limit_there_is_nothing_in_between() {
        paced = new PacedTreeStore(world.tree, world.context("worker-1"), 0, waits::incrementAndGet);
        paced.move(World.FILES, moves(0, 30));
        paced.move(World.FILES, moves(30, 10));
        assertThat(elapsed()).isZero();
        assertThat(PacedTreeStore.page(1_000, 0)).isEqualTo(1_000);
        assertThat(PacedTreeStore.page(1_000, 50)).isEqualTo(50);
        assertThat(PacedTreeStore.page(20, 50)).isEqualTo(20);
    }

    @Test
    void a_whole_rename_goes_through_it() {
        world.directory("a", "/a");
        Renamer renamer =
                new Renamer(world.stores(paced), new org.treerename.wire.JsonOutcomeCodec(), world.context("worker-1"));

        renamer.run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(world.outcome("r1").moved()).isEqualTo(41);
        assertThat(elapsed()).isBetween(Duration.ofMillis(3_800), Duration.ofMillis(4_500));
    }
}
