package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.path.Path;

class CrowdTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void a_lock_set_has_one_lock_more_than_it_is_deep(int depth) {
        assertThat(new Crowd(depth, 2, false).locks(1).modes()).hasSize(depth + 1);
        assertThat(new Crowd(depth, 2, true).locks(1).modes()).hasSize(depth + 1);
    }

    @Test
    void those_that_are_disjoint_have_no_path_in_common() {
        Crowd crowd = new Crowd(4, 2, false);

        assertThat(crowd.locks(0).modes().keySet())
                .doesNotContainAnyElementsOf(crowd.locks(1).modes().keySet());
    }

    @Test
    void a_hot_ancestor_is_all_that_the_others_have_in_common_and_it_is_shared() {
        Crowd crowd = new Crowd(4, 2, true);
        LockSet one = crowd.locks(0);
        LockSet other = crowd.locks(1);

        assertThat(one.modes()).containsEntry(new Path("/hot"), LockMode.SHARED);
        Set<Path> common = new HashSet<>(one.modes().keySet());
        common.retainAll(other.modes().keySet());
        assertThat(common).containsExactly(new Path("/hot"));
        assertThat(one.conflictsWith(other)).isFalse();
    }
}
