package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryRenameTest {

    private static final Comparison COMPARISON = new Comparison(
            "a directory",
            "s",
            Better.LOWER,
            List.of(
                    Series.of("update by query, slices=1 (auto)", 1.0),
                    Series.of("update by query, slices=1 (auto), and a refresh", 5.0),
                    Series.of("update by query, slices=2, and a refresh", 6.0),
                    Series.of("update by query, slices=16, and a refresh", 4.0),
                    Series.of("scan and bulk, slices=4, and a refresh", 3.0),
                    Series.of("scan and bulk, slices=2, and a refresh", 2.0)),
            List.of(),
            List.of());

    @Test
    void the_best_number_of_slices_of_a_peer_comes_from_its_figures_with_a_refresh() {
        assertThat(DirectoryRename.bestSlices(COMPARISON, "update by query, slices="))
                .isEqualTo(16);
        assertThat(DirectoryRename.bestSlices(COMPARISON, "scan and bulk, slices="))
                .isEqualTo(2);
    }
}
