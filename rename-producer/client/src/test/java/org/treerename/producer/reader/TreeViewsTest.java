package org.treerename.producer.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.journal.State;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/**
 * Tests {@link TreeViews} while other processes act between the steps of a reader. Each action of another process has a
 * key: the step after which the action runs, for example {@code locks 2} or {@code open 1}. The number counts the reads
 * of lock tables, the reads of entries, or the openings of points in time.
 */
final class TreeViewsTest {

    private static final TreePath ROOT = TreePath.ROOT;
    private static final String OPENED = "open 1";

    private final UnderWay renames = UnderWay.inMemory(Namespace.ofFiles("files", "files"));

    private List<String> shown(String path) {
        return shown(renames, path);
    }

    /** Returns the ids of the renames that a view shows as completed. */
    private static List<String> shown(UnderWay renames, String path) {
        TreeView view = renames.views().open(renames.namespace, new TreePath(path), TreeViews.Options.DEFAULT);
        assertThat(view.isConsistent()).isTrue();
        return ids(view);
    }

    private static List<String> ids(TreeView view) {
        return view.renames().stream().map(CommittedRename::requestId).sorted().toList();
    }

    private static boolean isClosed(PointInTime point) {
        return point instanceof InMemoryPointInTime inMemory && inMemory.isClosed;
    }

    private void assertOpened(int points) {
        assertThat(renames.opened).hasSize(points);
        assertThat(renames.opened.subList(0, points - 1)).allMatch(TreeViewsTest::isClosed);
        assertThat(isClosed(renames.opened.getLast())).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Granularity.class)
    void shows_a_rename_from_its_commit_until_all_documents_have_moved(Granularity granularity) {
        UnderWay one = UnderWay.inMemory(Namespace.ofFiles("files", "files").lockedBy(granularity));

        one.prepare("r1", "/a", "/b/a");
        List<String> prepared = shown(one, "/b");
        one.commit("r1");
        List<String> committed = shown(one, "/b");
        List<String> fromSource = shown(one, "/a/x");
        List<String> fromRoot = shown(one, "/");
        List<String> elsewhere = shown(one, "/c");
        one.become("r1", State.PARKED);
        List<String> parked = shown(one, "/b/a/x");
        one.become("r1", State.MOVING);
        one.become("r1", State.DONE);
        List<String> done = shown(one, "/b");
        one.finish("r1");

        assertThat(prepared).isEmpty();
        assertThat(committed).containsExactly("r1");
        assertThat(fromSource).containsExactly("r1");
        assertThat(fromRoot).containsExactly("r1");
        assertThat(parked).containsExactly("r1");
        assertThat(elsewhere).isEmpty();
        assertThat(done).isEmpty();
        assertThat(shown(one, "/b")).isEmpty();
        assertThat(one.opened).hasSize(8);
    }

    @Test
    void knows_the_documents_that_a_rename_replaces() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1", new Document.Ref("files-1", "7", null, new Version(3, 1)));

        TreeView view = renames.views().open(renames.namespace, ROOT, TreeViews.Options.DEFAULT);

        assertThat(view.saved().renames().getFirst().replaced()).containsExactly(new Replaced("files-1", "7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/b", "/b/x"})
    void includes_a_rename_that_is_committed_while_the_view_is_opened(String path) {
        renames.prepare("r1", "/a", "/b/x");
        renames.then.put(OPENED, () -> renames.commit("r1"));

        assertThat(shown(path)).containsExactly("r1");
        assertOpened(1);
    }

    @Test
    void gives_up_a_view_if_a_rename_is_committed_and_moves_all_documents_meanwhile() {
        renames.then.put(OPENED, () -> {
            renames.prepare("r1", "/a", "/b");
            renames.commit("r1");
            renames.become("r1", State.DONE);
        });

        assertThat(shown("/")).isEmpty();
        assertOpened(2);
    }

    /**
     * The late request acquires a hold with the hold id that the entry contains. So the rename looks as if it was
     * committed after the first read of the lock tables.
     */
    @Test
    void gives_up_a_view_if_a_late_request_locks_the_paths_of_a_rename_that_is_done() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.become("r1", State.DONE);
        renames.release("r1");
        renames.then.put(OPENED, () -> {
            renames.rename("r2", "/c", "/a");
            renames.repeat("r1");
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/b/x"})
    void gives_up_a_view_if_a_rename_began_and_ended_meanwhile(String path) {
        renames.then.put(OPENED, () -> renames.rename("r1", "/a", "/b"));

        assertThat(shown(path)).isEmpty();
        assertOpened(2);
    }

    @Test
    void gives_up_a_view_if_a_prepared_rename_was_committed_and_ended_meanwhile() {
        renames.prepare("r1", "/a", "/b");
        renames.then.put(OPENED, () -> {
            renames.commit("r1");
            renames.finish("r1");
        });

        assertThat(shown("/a")).isEmpty();
        assertOpened(2);
    }

    @Test
    void keeps_a_view_if_unrelated_requests_began_and_ended_meanwhile() {
        renames.then.put(OPENED, () -> {
            renames.prepare("rejected", "/a", "/b");
            renames.become("rejected", State.REJECTED);
            renames.release("rejected");
            renames.write("writer", "/a");
            renames.release("writer");
            renames.rename("beside", "/a/y", "/b/y");
        });

        assertThat(shown("/a/x")).isEmpty();
        assertOpened(1);
    }

    @Test
    void gives_up_a_view_if_the_tables_do_not_name_all_released_requests() {
        renames.then.put(OPENED, () -> {
            for (int i = 0; i <= LockTable.Releases.MOST; i++) {
                renames.rename("r" + i, "/a/y" + i, "/a/z" + i);
            }
        });

        assertThat(shown("/a/x")).isEmpty();
        assertOpened(2);
    }

    @Test
    void keeps_a_rename_that_ends_while_the_view_is_opened() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> renames.finish("r1"));

        assertThat(shown("/b")).containsExactly("r1");
        assertOpened(1);
    }

    /** One request reads all tables, but Elasticsearch reads the tables one after the other. */
    @Test
    void shows_a_rename_that_acquires_its_locks_and_commits_while_the_lock_tables_are_read() {
        List<LockTable.Id> tables = LockTable.Id.all("files");
        LockTable.Id earlier = Stream.of("/a", "/b")
                .map(path -> LockTable.Id.of("files", new TreePath(path)))
                .min(Comparator.comparingInt(tables::indexOf))
                .orElseThrow();
        renames.then.put("table " + earlier, () -> {
            renames.then.clear();
            renames.prepare("r1", "/a", "/b");
            renames.commit("r1");
        });

        assertThat(shown("/")).containsExactly("r1");
        assertOpened(1);
    }

    /** The hold id of the late attempt differs from the hold id in the entry. */
    @Test
    void ignores_the_hold_of_a_late_attempt_of_a_rename_that_is_done() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.become("r1", State.DONE);
        renames.release("r1");
        renames.then.put(OPENED, () -> renames.repeat("r1", "hold of a late attempt"));

        assertThat(shown("/")).isEmpty();
        assertOpened(1);
    }

    @Test
    void excludes_a_rename_that_ends_before_the_lock_table_of_its_source_is_read() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put("entries 1", () -> {
            renames.finish("r1");
            renames.rename("r2", "/c", "/a");
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(1);
    }

    /** The point in time shows documents of both renames at the source of the ended rename. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/b", "/a"})
    void gives_up_a_view_while_a_rename_moves_to_the_source_of_an_ended_rename(String path) {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.prepare("r2", "/c", "/a");
            renames.commit("r2");
        });

        assertThat(shown(path)).isEqualTo(path.equals("/b") ? List.of() : List.of("r2"));
        assertOpened(2);
    }

    @Test
    void gives_up_a_view_if_a_rename_has_moved_to_the_source_of_an_ended_rename() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.rename("r2", "/c", "/a");
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(2);
    }

    @Test
    void gives_up_a_view_while_a_rename_moves_the_documents_of_an_ended_rename() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.prepare("r2", "/b", "/c");
            renames.commit("r2");
        });

        assertThat(shown("/b")).containsExactly("r2");
        assertOpened(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/d/a", "/d/a/x", "/d"})
    void gives_up_a_view_if_a_writer_locks_the_source_of_an_ended_rename(String directory) {
        renames.prepare("r1", "/d/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.write("w1", directory);
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(2);
    }

    @Test
    void gives_up_a_view_if_a_writer_had_locked_the_source_of_an_ended_rename() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.write("w1", "/a");
            renames.release("w1");
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(2);
    }

    /**
     * After the repeated request, the rename has a hold again. The ended rename does not move the documents that the
     * writer created at the source.
     */
    @Test
    void gives_up_a_view_if_a_writer_had_locked_the_source_of_a_rename_whose_request_arrives_again() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.write("w1", "/a");
            renames.release("w1");
            renames.repeat("r1");
        });

        assertThat(shown("/b")).isEmpty();
        assertOpened(2);
    }

    @Test
    void keeps_a_view_if_writers_lock_other_paths() {
        renames.write("w0", "/d");
        renames.prepare("r1", "/d/e/a", "/b");
        renames.commit("r1");
        renames.then.put(OPENED, () -> {
            renames.finish("r1");
            renames.write("w1", "/b");
            renames.write("w2", "/d/e/x");
        });

        assertThat(shown("/b")).containsExactly("r1");
        assertOpened(1);
    }

    /**
     * After the second read of the tables, the test commits r2 and then r1. The second read has returned the lock of
     * r1.
     */
    @Test
    void includes_a_rename_that_was_committed_before_the_last_one_of_the_second_read() {
        renames.prepare("r1", "/a", "/b");
        renames.then.put("locks 2", () -> {
            renames.prepare("r2", "/c", "/d");
            renames.commit("r2");
            renames.commit("r1");
            renames.prepare("r3", "/e", "/f");
            renames.commit("r3");
        });

        assertThat(shown("/")).containsExactly("r1", "r2");
        assertOpened(1);
    }

    @Test
    void gives_up_a_view_if_a_rename_began_and_ended_before_its_last_one() {
        renames.prepare("r1", "/a", "/b");
        renames.then.put("locks 2", () -> {
            renames.rename("r2", "/c", "/d");
            renames.commit("r1");
        });

        assertThat(shown("/")).containsExactly("r1");
        assertOpened(2);
    }

    @Test
    void keeps_a_view_if_a_rename_began_and_ended_after_its_last_one() {
        renames.prepare("r1", "/a", "/b");
        renames.then.put("locks 2", () -> {
            renames.commit("r1");
            renames.rename("r2", "/c", "/d");
        });

        assertThat(shown("/")).containsExactly("r1");
        assertOpened(1);
    }

    private void changeAlways() {
        renames.then.put("open", () -> renames.rename("r" + renames.opened.size(), "/a", "/b" + renames.opened.size()));
    }

    @Test
    void reports_a_tree_that_changes_too_fast() {
        changeAlways();

        assertThatThrownBy(() -> shown("/a"))
                .isInstanceOf(TreeChangedException.class)
                .hasMessageContaining("during each of 6 tries")
                .hasMessageContaining("was committed and ended during the last try");
        assertThat(renames.opened).hasSize(TreeViews.MOST_TRIES).allMatch(TreeViewsTest::isClosed);
    }

    @Test
    void marks_a_view_of_a_tree_that_changes_too_fast_if_the_caller_allows_it() {
        changeAlways();

        TreeView view = renames.views().open(renames.namespace, new TreePath("/a"), new TreeViews.Options(false, true));

        assertThat(view.isConsistent()).isFalse();
        assertOpened(TreeViews.MOST_TRIES);
        view.close();
        assertThat(isClosed(renames.opened.getLast())).isTrue();
    }

    /** Returns the ids of the renames that the answer to a single search shows as completed. */
    private List<String> answered(String path) {
        return renames.views().answer(renames.namespace, new TreePath(path), TreeViews.Options.DEFAULT, view -> {
            assertThat(view.count(new TreePath(path), Reach.AT_OR_BELOW, null)).isZero();
            return ids(view);
        });
    }

    @Test
    void answers_with_one_search() {
        assertThat(answered("/b")).isEmpty();
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");

        assertThat(answered("/b")).containsExactly("r1");
        assertThat(renames.opened).isEmpty();
    }

    @Test
    void opens_a_point_in_time_if_a_rename_is_committed_during_the_search() {
        renames.prepare("r1", "/a", "/b");
        renames.then.put("search", () -> renames.commit("r1"));

        assertThat(answered("/b")).containsExactly("r1");
        assertThat(renames.opened).hasSize(1).allMatch(TreeViewsTest::isClosed);
    }

    @Test
    void opens_a_point_in_time_if_a_rename_began_and_ended_during_the_search() {
        renames.then.put("search", () -> renames.rename("r1", "/a", "/b"));

        assertThat(answered("/b")).isEmpty();
        assertThat(renames.opened).hasSize(1).allMatch(TreeViewsTest::isClosed);
    }

    @Test
    void opens_a_point_in_time_for_an_answer_that_needs_two_searches() {
        renames.prepare("r1", "/a", "/b");
        renames.commit("r1");

        List<TreeEntry> found = renames.views()
                .answer(
                        renames.namespace,
                        ROOT,
                        TreeViews.Options.DEFAULT,
                        view -> view.find(ROOT, Reach.AT_OR_BELOW, null, null, 10)
                                .items());
        assertThat(found).isEmpty();
        assertThat(renames.opened).hasSize(1).allMatch(TreeViewsTest::isClosed);
        assertThat(renames.readings()).as("number of reads of the lock tables").isEqualTo(2);
    }

    @Test
    void refuses_an_inconsistent_answer_also_if_an_inconsistent_view_is_allowed() {
        renames.then.put("search", () -> renames.rename("r0", "/a", "/b0"));
        changeAlways();
        TreeViews.Options options = new TreeViews.Options(false, true);

        assertThatThrownBy(() -> renames.views()
                        .answer(
                                renames.namespace,
                                new TreePath("/a"),
                                options,
                                view -> view.count(new TreePath("/a"), Reach.AT_OR_BELOW, null)))
                .isInstanceOf(TreeChangedException.class);
    }

    @Test
    void refuses_a_saved_view_with_more_renames_than_a_view_can_show() {
        List<CommittedRename> forged = IntStream.rangeClosed(0, TreeViews.MOST_RENAMES)
                .mapToObj(i -> new CommittedRename(
                        "r" + i, new TreePath("/from/" + i), new TreePath("/to/" + i), List.of(), new Version(i, 1)))
                .toList();
        SavedView saved = new SavedView(renames.namespace.name(), "/", "point", true, forged);

        assertThatThrownBy(() -> renames.views().reopen(renames.namespace, saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 400 renames, found 401");
    }
}
