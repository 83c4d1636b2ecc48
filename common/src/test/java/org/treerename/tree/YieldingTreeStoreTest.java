package org.treerename.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.rename.World;
import org.treerename.request.OnExisting;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

class YieldingTreeStoreTest {

    private static final Duration TAKES = Duration.ofMillis(80);
    private static final Duration PAUSE = TAKES.multipliedBy(3);

    private final World world = new World();
    private TreeStore yielding = world.tree;

    @BeforeEach
    void many_pages() {
        IntStream.range(0, 80).forEach(i -> world.file("f" + i, "/a/" + i));
        world.file("small", "/small");
        yielding = new YieldingTreeStore(world.tree, world.time);
        world.time.advance(Duration.ofSeconds(1));
    }

    private void begin() {
        yielding.examine(
                new Rename("r1", World.FILES, new TreePath("/small"), new TreePath("/other"), OnExisting.FAIL));
    }

    private long pausedIn(Runnable work) {
        long before = world.time.nanos();
        work.run();
        return world.time.nanos() - before;
    }

    /** Reads pages, and returns the pause before each page. After each page, the clock advances by {@link #TAKES}. */
    private List<Duration> waits(Scan scan, int pages) {
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            waits.add(
                    Duration.ofNanos(pausedIn(() -> assertThat(scan.nextPage()).isNotEmpty())));
            world.time.advance(TAKES);
        }
        return waits;
    }

    /** Begins a scan and reads 18 pages. After three more pages, the scan may pause. */
    private Scan scan() {
        return read(yielding.scan(World.FILES, new TreePath("/a"), Reach.AT_OR_BELOW));
    }

    private static Scan read(Scan scan) {
        for (int i = 0; i < 18; i++) {
            assertThat(scan.nextPage()).isNotEmpty();
        }
        return scan;
    }

    @Test
    void a_scan_without_other_renames_does_not_pause() {
        begin();
        world.time.advance(Duration.ofMillis(1));
        try (Scan scan = scan()) {
            assertThat(waits(scan, 6)).containsOnly(Duration.ZERO);
        }
    }

    @Test
    void a_long_scan_pauses_three_times_its_working_time_while_other_renames_begin() {
        try (Scan scan = scan()) {
            world.time.advance(Duration.ofMillis(1));
            begin();
            assertThat(waits(scan, 4)).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, PAUSE);
        }
    }

    @Test
    void a_scan_before_the_commit_pauses_like_every_other_scan() {
        Rename rename = new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);
        try (Scan scan = read(yielding.open(rename, yielding.examine(rename)))) {
            world.time.advance(Duration.ofMillis(1));
            begin();
            assertThat(waits(scan, 4)).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, PAUSE);
        }
    }

    @Test
    void a_scan_in_a_namespace_with_its_own_limit_does_not_pause() {
        Rules paced = new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, null, 1_000);
        Namespace limited = World.FILES.with(paced);
        try (Scan scan = yielding.scan(limited, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            world.time.advance(Duration.ofMillis(1));
            begin();
            assertThat(waits(scan, 6)).containsOnly(Duration.ZERO);
        }
    }

    @Test
    void stops_pausing_when_no_other_rename_has_begun_for_a_while() {
        try (Scan scan = scan()) {
            world.time.advance(Duration.ofMillis(1));
            begin();
            assertThat(waits(scan, 4).getLast()).isEqualTo(PAUSE);
            world.time.advance(Duration.ofSeconds(1));
            assertThat(waits(scan, 2)).containsOnly(Duration.ZERO);
        }
    }

    @Test
    void no_pause_is_longer_than_three_seconds() {
        try (Scan scan = scan()) {
            waits(scan, 3);
            world.time.advance(Duration.ofMinutes(1));
            begin();
            assertThat(waits(scan, 1)).containsExactly(Duration.ofSeconds(3));
        }
    }
}
