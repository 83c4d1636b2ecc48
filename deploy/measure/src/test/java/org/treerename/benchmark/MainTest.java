package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void a_report_without_results_is_refused(@TempDir Path folder) {
        var errors = new java.io.StringWriter();

        int exitCode = Main.line().setErr(new java.io.PrintWriter(errors)).execute("--report-only", "--to=" + folder);

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString())
                .contains("expected results in " + folder.resolve("results.json")
                        + ", found none; run a benchmark first");
        assertThat(folder.resolve("benchmark.md")).doesNotExist();
    }

    @Test
    void findings_need_no_results_of_this_machine(@TempDir Path folder) throws Exception {
        StringBuilder template = new StringBuilder("# Found\n");
        Main.ALL.forEach(
                benchmark -> template.append("\n{{").append(benchmark.name()).append("}}\n"));
        Files.writeString(folder.resolve("findings-template.md"), template);

        int exitCode = Main.line().execute("--report-only", "--to=" + folder.resolve("new"), "--findings=" + folder);

        assertThat(exitCode).isZero();
        assertThat(folder.resolve("findings.md")).content().contains("# Found", "Not measured.");
        assertThat(folder.resolve("new").resolve("benchmark.md")).doesNotExist();
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
