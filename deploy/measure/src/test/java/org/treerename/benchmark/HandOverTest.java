package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.benchmark.ContendedLoad.Step;
import org.treerename.benchmark.HandOver.Done;

class HandOverTest {

    private static final int DIRECTORY = -1;

    @Test
    void a_gap_is_the_time_from_the_end_of_a_rename_to_the_commit_of_the_rename_that_waited_for_it() {
        Done later = done(1, DIRECTORY, 20, 130, 150);
        Done earlier = done(1, DIRECTORY, 0, 10, 100);

        assertThat(HandOver.gaps(List.of(later, earlier))).containsExactly(30.0);
    }

    @Test
    void files_and_their_directory_wait_for_each_other_but_files_do_not_wait_for_files() {
        assertThat(HandOver.gaps(List.of(
                        done(1, 3, 0, 10, 100),
                        done(1, 4, 0, 20, 110),
                        done(1, DIRECTORY, 5, 125, 200),
                        done(1, 3, 6, 240, 250))))
                .containsExactly(15.0, 40.0);
    }

    @Test
    void a_rename_that_was_requested_after_the_end_of_the_other_did_not_wait() {
        assertThat(HandOver.gaps(List.of(done(1, DIRECTORY, 0, 10, 100), done(1, DIRECTORY, 101, 130, 150))))
                .isEmpty();
    }

    @Test
    void directories_do_not_wait_for_each_other() {
        assertThat(HandOver.gaps(List.of(done(1, DIRECTORY, 0, 10, 100), done(2, DIRECTORY, 0, 11, 101))))
                .isEmpty();
    }

    @Test
    void a_commit_during_a_conflicting_rename_is_refused() {
        assertThatThrownBy(() -> HandOver.gaps(List.of(done(1, DIRECTORY, 0, 10, 100), done(1, 3, 0, 99, 120))))
                .hasMessageContaining("was committed before the end of");
    }

    private static Done done(int directory, int file, long requested, long committed, long finished) {
        return new Done(
                new Step(directory, file, 0, "/a", "/b"),
                Instant.ofEpochMilli(requested),
                Instant.ofEpochMilli(committed),
                Instant.ofEpochMilli(finished));
    }
}
