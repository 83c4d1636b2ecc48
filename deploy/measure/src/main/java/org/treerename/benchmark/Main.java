package org.treerename.benchmark;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code deploy/measure/benchmark}. It runs all benchmarks, or only the benchmarks named on the command
 * line, and writes the report.
 */
@Command(
        name = "benchmark",
        sortOptions = false,
        description = {
            "Measures the speed of tree rename and of its alternatives. The command starts its own servers on this"
                    + " machine. It runs all benchmarks, or only the named benchmarks. It writes benchmark.md, and"
                    + " results.json with every figure of every round.",
            "The exit code is 0 if the measurement is complete, even if goals are missed. No process is left running."
        })
final class Main implements Callable<Integer> {

    /** All benchmarks, in the order in which they run. */
    static final List<Benchmark> ALL = List.of(
            new DirectoryRename(),
            new FileRenames(),
            new Contended(),
            new Decided(),
            new Readers(),
            new Death(),
            new Idle());

    private static final OptionSpec HELP = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build();
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String SERVERS = "servers-";
    private static final String FINDINGS = "findings.md";
    private static final String RESULTS = "results.json";

    /** The names of the benchmarks, for the help text. */
    private static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ALL.stream().map(Benchmark::name).iterator();
        }
    }

    @Parameters(
            paramLabel = "NAME",
            arity = "0..*",
            completionCandidates = Names.class,
            description = "A benchmark: one of ${COMPLETION-CANDIDATES} (default: all benchmarks).")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "The folder of the report (default: deploy/output/benchmark).")
    private @Nullable Path to;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            paramLabel = "N",
            description = "The number of measured rounds, after one warm-up round (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(
            names = "--short",
            description = "Measure each compared variant in one short round, without a warm-up round, and with at most"
                    + " 10,000 documents. The run takes minutes, and the figures are rough.")
    private boolean brief;

    @Option(
            names = "--quick",
            description =
                    "Use tiny sizes, and ignore the options for sizes. The run only tests whether the benchmarks work."
                            + " The figures are meaningless.")
    private boolean quick;

    @Option(
            names = "--elasticsearch-heap",
            defaultValue = "1g",
            paramLabel = "SIZE",
            description = "The heap size of Elasticsearch, in the format of -Xmx (default: ${DEFAULT-VALUE}).")
    private String elasticsearchHeap = "1g";

    @Option(
            names = "--worker-option",
            paramLabel = "OPTION",
            description = "An option for every worker, for example --concurrency=4096. It overrides the value that"
                    + " a benchmark sets. Repeatable.")
    private List<String> workerOptions = new ArrayList<>();

    @Option(
            names = "--label",
            defaultValue = "",
            paramLabel = "WORDS",
            description = "A text for the report, for example the name of the measured commit.")
    private String label = "";

    @Option(
            names = "--findings",
            paramLabel = "DIR",
            description =
                    "At the end, copy the results to DIR/results.json, and replace the earlier results of the same"
                            + " benchmarks. Then write DIR/findings.md from all results and from DIR/findings-template.md.")
    private @Nullable Path findings;

    @Option(names = "--report-only", description = "Measure nothing, and write the report of the existing results.")
    private boolean reportOnly;

    private final Time time = new SystemTime();

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return line().execute(arguments);
    }

    static CommandLine line() {
        CommandLine line = new CommandLine(new Main());
        line.getCommandSpec().addOption(HELP);
        ALL.forEach(benchmark -> line.addMixin(benchmark.name(), benchmark));
        return line.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setExecutionExceptionHandler((failure, failed, parsed) -> {
                    if (failure instanceof IllegalArgumentException) {
                        failed.getErr().println(failed.getCommandName() + ": " + failure.getMessage());
                        return WRONG_USE;
                    }
                    failure.printStackTrace(failed.getErr());
                    return FAILED;
                });
    }

    @Override
    public Integer call() throws Exception {
        List<Benchmark> chosen = chosen();
        Path folder =
                to == null ? Path.of(System.getProperty("tree-rename.deploy", "deploy"), "output", "benchmark") : to;
        Files.createDirectories(folder);
        Results results = new Results(folder.resolve(RESULTS), known());
        if (!reportOnly && !measure(chosen, folder, results)) {
            return FAILED; // Ctrl-C or SIGTERM has ended the run, so the report is not written
        }
        List<Result> measured = results.read();
        if (measured.isEmpty() && findings == null) {
            throw new IllegalArgumentException("expected results in " + folder.resolve(RESULTS)
                    + ", found none; run a benchmark first, or use --findings");
        }
        if (!measured.isEmpty()) {
            new Report(measured).write(folder);
            System.out.println("The report is in " + folder.resolve("benchmark.md"));
        }
        if (findings != null) {
            writeFindings(findings, measured);
            System.out.println("The findings are in " + findings.resolve(FINDINGS));
        }
        return CommandLine.ExitCode.OK;
    }

    private boolean measure(List<Benchmark> chosen, Path folder, Results results) throws Exception {
        Progress progress = new Progress(System.err, time);
        deleteOldServers(folder);
        Path servers = folder.resolve(SERVERS + ProcessHandle.current().pid()).toAbsolutePath();
        Stage.Options options = new Stage.Options(elasticsearchHeap, workerOptions);
        try (Stage stage = new Stage(servers, options, progress, time)) {
            Setting setting =
                    new Setting(stage, new Directories(stage, progress), played(progress), extent(), progress, time);
            return measure(chosen, setting, new RunDescription(setting, options, label), results);
        }
    }

    private Setting.Extent extent() {
        if (quick) {
            return Setting.Extent.TINY;
        }
        return brief ? Setting.Extent.SHORT : Setting.Extent.FULL;
    }

    private Rounds played(Progress progress) {
        return switch (extent()) {
            case TINY -> new Rounds(2, 0, progress);
            case SHORT -> new Rounds(1, 0, progress);
            case FULL -> new Rounds(rounds, 1, progress);
        };
    }

    /**
     * Runs the benchmarks. Writes the results after each benchmark, so that an interrupted run keeps the results of
     * finished benchmarks. Returns false if the run was interrupted.
     */
    private boolean measure(List<Benchmark> chosen, Setting setting, RunDescription description, Results results)
            throws Exception {
        try {
            for (Benchmark benchmark : chosen) {
                setting.progress().report("== " + benchmark.name() + ": " + benchmark.compares());
                List<Comparison> comparisons = benchmark.run(setting);
                results.write(Result.of(benchmark, description.now(), comparisons));
            }
            return true;
        } catch (Exception e) {
            if (setting.stage().isEnded()) {
                return false;
            }
            throw e;
        }
    }

    private static void writeFindings(Path docs, List<Result> measured) throws IOException {
        Results kept = new Results(docs.resolve(RESULTS), known());
        for (Result result : measured) {
            kept.write(result);
        }
        String template = Files.readString(docs.resolve("findings-template.md"));
        Files.writeString(docs.resolve(FINDINGS), new Findings(known(), kept.read()).fill(template));
    }

    private static List<String> known() {
        return ALL.stream().map(Benchmark::name).toList();
    }

    private List<Benchmark> chosen() {
        List<String> known = known();
        List<String> unknown =
                names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("each NAME must be one of " + String.join(", ", known) + ", found "
                    + String.join(", ", unknown) + "; nothing was run");
        }
        return ALL.stream()
                .filter(benchmark -> names.isEmpty() || names.contains(benchmark.name()))
                .toList();
    }

    /** Deletes the data that the servers of killed runs have left. */
    private static void deleteOldServers(Path folder) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, SERVERS + "*")) {
            for (Path servers : folders) {
                String pid = servers.getFileName().toString().substring(SERVERS.length());
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Stage.delete(servers);
                }
            }
        }
    }
}
