package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the checker reports views that show a wrong tree. */
class ViewsTest {

    private final Play play = new Play("/a/", "/a/x", "/a/y", "/b/");

    private static Map<String, String> shown(Play play, String path) {
        Map<String, String> shown = new HashMap<>();
        play.model.forEachAtOrBelow(
                play.namespace.notation().path(path), (at, document) -> shown.put(document.id(), at));
        return shown;
    }

    private void assertViolation(String words) {
        for (Run run : new Run[] {play.run(), play.withoutHistory()}) {
            assertThat(Checker.check(run))
                    .singleElement()
                    .satisfies(violation -> assertThat(violation.point()).isEqualTo(10))
                    .satisfies(violation -> assertThat(violation.words()).contains(words));
        }
    }

    @Test
    void views_of_the_tree_before_between_and_after_two_renames_are_good() {
        play.seen("/").seen("/a").then("r1", "/a", "/c").seen("/").seen("/a").seen("/c");
        play.sent("r2", "/c", "/b/c")
                .decided("r2", "/c", "/b/c", false)
                .seen("/")
                .ended("r2")
                .seen("/b");

        assertThat(Checker.check(play.run())).isEmpty();
        assertThat(Checker.check(play.withoutHistory())).isEmpty();
    }

    @Test
    void a_view_of_either_tree_is_good_while_a_rename_is_between_its_commit_and_its_end() {
        Map<String, String> before = shown(play, "/");
        play.sent("r1", "/a", "/c")
                .decided("r1", "/a", "/c", false)
                .seen("/", before)
                .seen("/")
                .ended("r1");

        assertThat(Checker.check(play.run())).isEmpty();
    }

    @Test
    void reports_a_view_of_a_part_of_a_rename() {
        Map<String, String> mixed = shown(play, "/");
        play.sent("r1", "/a", "/c").decided("r1", "/a", "/c", false);
        mixed.replaceAll((id, path) -> path.equals("/a/x") ? "/c/x" : path);
        play.seen("/", mixed).ended("r1");

        assertViolation("after any number of commits from 0 to 1");
    }

    @Test
    void reports_a_view_that_lacks_a_rename_that_ended_before() {
        Map<String, String> before = shown(play, "/");
        play.then("r1", "/a", "/c").seen("/", before);

        assertViolation("after any number of commits from 1 to 1");
    }

    @Test
    void reports_a_view_of_a_rename_that_is_committed_later() {
        Play later = new Play("/a/", "/a/x", "/a/y", "/b/").then("r1", "/a", "/c");
        play.seen("/", shown(later, "/")).then("r1", "/a", "/c");

        assertViolation("after any number of commits from 0 to 0");
    }
}
