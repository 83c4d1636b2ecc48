package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {

    @Test
    void an_unknown_name_is_refused_before_a_benchmark_runs() {
        var errors = new java.io.StringWriter();

        int exitCode = Main.line().setErr(new java.io.PrintWriter(errors)).execute("renames");

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).contains("idle").contains("found renames; nothing was run");
    }

    @Test
    void the_help_names_every_benchmark_and_its_options() {
        String help = Main.line().getUsageMessage();

        for (Benchmark benchmark : Main.ALL) {
            assertThat(help).contains(benchmark.name());
            for (OptionSpec option :
                    CommandLine.Model.CommandSpec.forAnnotatedObject(benchmark).options()) {
                assertThat(help).contains(option.longestName());
            }
        }
    }

    @Test
    void no_two_benchmarks_have_the_same_name() {
        List<String> names = Main.ALL.stream().map(Benchmark::name).toList();

        Set<String> different = new HashSet<>(names);
        assertThat(different).hasSameSizeAs(names);
    }
}
