package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.treerename.checker.Trees.dump;
import static org.treerename.checker.Trees.model;
import static org.treerename.checker.Trees.rename;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.checker.SerialOrder.Answer;

class SerialOrderTest {

    private static final String[] TREE = {"/a/", "/a/x", "/b/", "/b/y", "/c"};

    private static TreeModel after(CompletedRename... renames) {
        TreeModel model = model(TREE);
        for (CompletedRename rename : renames) {
            assertThat(model.apply(rename.source(), rename.destination(), false))
                    .isInstanceOf(TreeModel.Applied.Renamed.class);
        }
        return model;
    }

    @Test
    void tries_the_order_of_the_commits_first() {
        CompletedRename first = rename("1", "/a", "/d", 1, 2);
        CompletedRename second = rename("2", "/d", "/e", 3, 4);
        TreeModel before = model(TREE);

        Answer answer = SerialOrder.find(before, List.of(second, first), after(first, second));

        assertThat(answer).isEqualTo(new Answer.Found(List.of(first, second), true));
        assertThat(before.fingerprint()).isEqualTo(model(TREE).fingerprint());
    }

    @Test
    void finds_the_order_of_commits_that_clocks_swapped_and_reports_that_it_differs() {
        CompletedRename first = rename("1", "/a", "/d", 2, 9);
        CompletedRename second = rename("2", "/d", "/e", 1, 9);

        Answer answer = SerialOrder.find(model(TREE), List.of(first, second), after(first, second));

        assertThat(answer).isEqualTo(new Answer.Found(List.of(first, second), false));
    }

    @Test
    void reports_swapped_commits_if_one_rename_ended_before_the_other_was_committed() {
        CompletedRename first = rename("1", "/a", "/d", 8, 9);
        CompletedRename second = rename("2", "/d", "/e", 1, 2);

        Answer answer = SerialOrder.find(model(TREE), List.of(first, second), after(first, second));

        assertThat(answer)
                .isEqualTo(new Answer.None("in the order of the commits, the model rejects rename 1 of 2, "
                        + "/d to /e (request 2): source_not_found; no other order is valid either"));
    }

    @Test
    void reports_a_tree_that_no_order_gives() {
        CompletedRename rename = rename("1", "/a", "/d", 1, 2);

        Answer answer = SerialOrder.find(model(TREE), List.of(rename), TreeModel.of(dump(TREE)));

        assertThat(answer)
                .isEqualTo(new Answer.None("the order of the commits results in a tree that differs from the"
                        + " tree after the run; no other order is valid either"));
    }

    @Test
    void more_renames_than_the_search_limit_are_undecided() {
        List<CompletedRename> renames = new ArrayList<>();
        for (int i = 0; i <= SerialOrder.MOST_SEARCHED; i++) {
            renames.add(rename("r" + i, "/c", "/c", i, i));
        }

        Answer answer = SerialOrder.find(model(TREE), renames, after(rename("1", "/a", "/d", 1, 2)));

        assertThat(answer).isInstanceOf(Answer.Undecided.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void finds_an_order_of_sixty_shuffled_renames_with_overlapping_intervals(long seed) {
        Random random = new Random(seed);
        TreeModel before = manyDirectories();
        TreeModel after = manyDirectories();
        List<CompletedRename> applied = new ArrayList<>();
        while (applied.size() < SerialOrder.MOST_SEARCHED) {
            List<String> paths = Trees.paths(after);
            String source = paths.get(random.nextInt(paths.size()));
            String destination = paths.get(random.nextInt(paths.size())) + "/n" + applied.size();
            if (after.apply(source, destination, false) instanceof TreeModel.Applied.Renamed) {
                int at = applied.size();
                // as if two workers ran the renames, the interval of each rename overlaps the intervals of the previous
                // and the next rename
                applied.add(rename("r" + at, source, destination, 10L * at - random.nextInt(15), 10L * at + 5));
            }
        }
        List<CompletedRename> shuffled = new ArrayList<>(applied);
        Collections.shuffle(shuffled, random);

        Answer answer = SerialOrder.find(before, shuffled, after);

        assertThat(answer).isInstanceOfSatisfying(Answer.Found.class, found -> {
            TreeModel replayed = manyDirectories();
            found.order().forEach(rename -> replayed.apply(rename.source(), rename.destination(), false));
            assertThat(Comparison.of(replayed, dump(after)).isEqual()).isTrue();
        });
    }

    private static TreeModel manyDirectories() {
        TreeModel model = new TreeModel(true);
        for (int i = 0; i < 30; i++) {
            model.add("/d" + i, Trees.directory("d" + i));
            model.add("/d" + i + "/s", Trees.directory("s" + i));
            model.add("/d" + i + "/s/f", Trees.file("f" + i));
        }
        return model;
    }
}
