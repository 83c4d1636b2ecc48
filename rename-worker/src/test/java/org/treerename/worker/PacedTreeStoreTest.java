package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer;
import org.treerename.tree.MoveStream;
import org.treerename.tree.PacedTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

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
    void a_move_waits_in_proportion_to_the_previous_move() {
        paced.move(World.FILES, moves(0, 5));
        assertThat(elapsed()).isZero();

        paced.move(World.FILES, moves(5, 10));
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(500));

        paced.move(World.FILES, moves(15, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void requests_of_a_stream_wait_as_well() {
        try (MoveStream stream = paced.moves(World.FILES)) {
            assertThat(stream.send(moves(0, 5))).hasSize(1);
            assertThat(elapsed()).isZero();

            stream.send(moves(5, 10));
            assertThat(elapsed()).isEqualTo(Duration.ofMillis(500));
        }
    }

    @Test
    void a_page_larger_than_the_limit_is_moved_at_once_and_the_next_page_waits_longer() {
        paced.move(World.FILES, moves(0, 30));
        assertThat(elapsed()).isZero();

        paced.move(World.FILES, moves(30, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_move_that_waits_reports_its_progress_repeatedly() {
        paced.move(World.FILES, moves(0, 30));
        assertThat(waits).hasValue(0);

        paced.move(World.FILES, moves(30, 1));

        assertThat(waits).hasValue(15);
    }

    @Test
    void unused_time_does_not_accumulate() {
        world.time.advance(Duration.ofMinutes(1));

        paced.move(World.FILES, moves(0, 10));
        paced.move(World.FILES, moves(10, 10));

        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(61));
    }

    @Test
    void a_process_that_is_fenced_while_it_waits_moves_nothing() {
        paced.move(World.FILES, moves(0, 20));
        world.time.plan(Duration.ofSeconds(1), world.stop::abandon);
        List<Move> next = moves(20, 1);

        assertThatThrownBy(() -> paced.move(World.FILES, next)).isInstanceOf(FencedException.class);

        assertThat(world.paths()).containsEntry("f20", "/a/20");
        assertThat(elapsed()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void a_process_whose_lease_is_in_doubt_waits_until_the_doubt_ends() {
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
    void uses_the_smaller_limit_of_process_and_namespace() {
        paced.move(slow("slow", 5), moves(0, 5));
        paced.move(slow("slow", 5), moves(5, 5));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1));

        paced.move(slow("fast", 1_000), moves(10, 10));
        paced.move(slow("fast", 1_000), moves(20, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void uses_the_limit_of_the_namespace_if_the_process_has_no_limit() {
        paced = new PacedTreeStore(world.tree, world.context("worker-1"), 0, waits::incrementAndGet);
        paced.move(slow("slow", 5), moves(0, 5));
        paced.move(World.FILES, moves(5, 30));
        paced.move(World.FILES, moves(35, 1));
        assertThat(elapsed()).isZero();
        paced.move(slow("slow", 5), moves(36, 1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void does_not_pause_without_a_limit() {
        paced = new PacedTreeStore(world.tree, world.context("worker-1"), 0, waits::incrementAndGet);
        paced.move(World.FILES, moves(0, 30));
        paced.move(World.FILES, moves(30, 10));
        assertThat(elapsed()).isZero();
        assertThat(PacedTreeStore.page(1_000, 0)).isEqualTo(1_000);
        assertThat(PacedTreeStore.page(1_000, 50)).isEqualTo(50);
        assertThat(PacedTreeStore.page(20, 50)).isEqualTo(20);
    }

    @Test
    void paces_a_whole_rename() {
        world.directory("a", "/a");
        Renamer renamer = new Renamer(world.stores(paced), world.context("worker-1"));

        renamer.run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(world.outcome("r1").moved()).isEqualTo(41);
        assertThat(elapsed()).isBetween(Duration.ofMillis(3_800), Duration.ofMillis(4_500));
    }
}
