package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.benchmark.ContendedLoad.Step;

class ContendedLoadTest {

    private final ContendedLoad load = new ContendedLoad(7);

    @Test
    void a_directory_moves_to_another_top_level_directory_and_its_files_follow() {
        Step move = first(true);

        load.completed(move);

        assertThat(move.destination()).isNotEqualTo(move.source());
        assertThat(ContendedLoad.places(move.directory())).contains(move.source(), move.destination());
        assertThat(steps(1_000).filter(step -> step.directory() == move.directory()))
                .isNotEmpty()
                .allMatch(step -> step.ofDirectory()
                        ? step.source().equals(move.destination())
                        : step.source().startsWith(move.destination() + "/file-"));
    }

    @Test
    void a_file_is_renamed_back_and_forth_within_its_directory() {
        Step there = first(false);
        load.completed(there);

        Step back = steps(10_000)
                .filter(step -> step.directory() == there.directory() && step.file() == there.file())
                .findFirst()
                .orElseThrow();

        assertThat(there.destination()).isEqualTo(there.source() + "-renamed");
        assertThat(back.source()).isEqualTo(there.destination());
        assertThat(back.destination()).isEqualTo(there.source());
    }

    @Test
    void half_of_the_renames_are_of_directories_and_all_directories_and_partitions_are_used() {
        List<Step> all = new ArrayList<>(steps(10_000).toList());

        assertThat(all.stream().filter(Step::ofDirectory).count()).isBetween(4_800L, 5_200L);
        assertThat(all.stream().map(Step::directory).distinct()).hasSize(ContendedLoad.DIRECTORIES);
        assertThat(Stream.generate(load::partition).limit(1_000).distinct()).hasSize(Stage.PARTITIONS);
    }

    private Step first(boolean ofDirectory) {
        return steps(1_000)
                .filter(step -> step.ofDirectory() == ofDirectory)
                .findFirst()
                .orElseThrow();
    }

    private Stream<Step> steps(int count) {
        return Stream.generate(load::next).limit(count);
    }
}
