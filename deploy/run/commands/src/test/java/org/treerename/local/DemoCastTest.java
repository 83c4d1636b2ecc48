package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.checker.TreeDocument;
import org.treerename.checker.TreeModel;
import org.treerename.path.TreePath;

class DemoCastTest {

    private final TreeModel tree = new TreeModel(true);

    private void add(String path, boolean directory) {
        tree.add(path, new TreeDocument(path, directory, "", null));
    }

    private void files(String directory, int count) {
        for (int i = 0; i < count; i++) {
            add(directory + "/f" + i, false);
        }
    }

    @Test
    void the_great_directory_is_the_smallest_sufficient_one_and_the_chain_is_elsewhere() {
        add("/all", true);
        add("/all/great", true);
        add("/all/great/d", true);
        files("/all/great/d", (int) DemoInput.GREAT);
        add("/all/great/d/e", true);
        files("/all/great/d/e", 1);
        add("/all/middle", true);
        add("/all/middle/sub", true);
        files("/all/middle/sub", 100);

        assertThat(DemoCast.of(tree))
                .isEqualTo(new DemoCast(
                        new TreePath("/all/great/d"),
                        new TreePath("/all/great/d/e/f0"),
                        new TreePath("/all/middle"),
                        new TreePath("/all/middle/sub")));
    }

    @Test
    void a_tree_with_one_directory_uses_it_for_both_parts() {
        add("/all", true);
        files("/all", (int) DemoInput.GREAT);

        assertThat(DemoCast.of(tree))
                .isEqualTo(new DemoCast(
                        new TreePath("/all"), new TreePath("/all/f0"), new TreePath("/all"), new TreePath("/all/f0")));
    }
}
