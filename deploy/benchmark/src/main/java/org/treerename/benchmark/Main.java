package org.treerename.benchmark;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** {@code deploy/local/benchmark}. */
@Command(
        name = "benchmark",
        sortOptions = false,
        description = {
            "Measures how fast it is, beside what people use today, on servers of its own on this machine: all benchmarks, or"
                    + " those that are named. Writes benchmark.md, benchmark.json and a plot of each comparison.",
            "Ends with 0 when all was measured, whatever the figures. Nothing is left running."
        })
final class Main implements Callable<Integer> {

    /** In the order in which they run. */
    static final List<Benchmark> ALL = List.of(
            new DirectoryRename(),
            new FileRenames(),
            new Locks(),
            new Death(),
            new Idle(),
            new Scaling(),
            new Granularities());

    private static final OptionSpec HELP = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this and end.")
            .build();
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String SERVERS = "servers-";

    /** For the help. */
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
            description = "Which: any of ${COMPLETION-CANDIDATES}; none named: all.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Where the report goes (default: deploy/local/run/benchmark).")
    private @Nullable Path to;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            paramLabel = "N",
            description =
                    "How often each side is played, in turn, after one round to warm up (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--quick",
            description = "Everything tiny, whatever the sizes say: tries that it runs, and measures nothing.")
    private boolean quick;

    @Option(
            names = "--elasticsearch-heap",
            defaultValue = "1g",
            paramLabel = "SIZE",
            description = "Elasticsearch's -Xmx (default: ${DEFAULT-VALUE}).")
    private String elasticsearchHeap = "1g";

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
        Progress progress = new Progress(System.err, time);
        Rounds played = quick ? new Rounds(2, 0, progress) : new Rounds(rounds, 1, progress);
        Path folder =
                to == null ? Path.of(System.getProperty("tree-rename.local", "deploy/local"), "run", "benchmark") : to;
        Files.createDirectories(folder);
        tidy(folder);
        Path servers = folder.resolve(SERVERS + ProcessHandle.current().pid()).toAbsolutePath();
        try (Stage stage = new Stage(servers, elasticsearchHeap, progress, time)) {
            measure(chosen, new Setting(stage, played, quick, progress, time), folder);
        }
        return CommandLine.ExitCode.OK;
    }

    /** The report is written after each of them: whoever breaks off keeps what was measured. */
    private void measure(List<Benchmark> chosen, Setting setting, Path folder) throws Exception {
        List<Report.Result> results = new ArrayList<>();
        try {
            for (Benchmark benchmark : chosen) {
                setting.progress().tell("== " + benchmark.name() + ": " + benchmark.compares());
                results.add(new Report.Result(benchmark.name(), benchmark.compares(), benchmark.run(setting)));
                new Report(surroundings(setting), results).write(folder);
            }
            System.out.println("The report is in " + folder.resolve("benchmark.md"));
        } catch (Exception e) {
            if (setting.stage().isEnded()) {
                return; // by Ctrl-C
            }
            throw e;
        }
    }

    private List<Benchmark> chosen() {
        List<String> known = ALL.stream().map(Benchmark::name).toList();
        List<String> unknown =
                names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("expected names of benchmarks, " + String.join(", ", known) + "; found "
                    + String.join(", ", unknown) + "; nothing was run");
        }
        return ALL.stream()
                .filter(benchmark -> names.isEmpty() || names.contains(benchmark.name()))
                .toList();
    }

    private Map<String, String> surroundings(Setting setting) {
        Map<String, String> surroundings = new LinkedHashMap<>();
        surroundings.put("measured at", time.now().toString());
        surroundings.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        surroundings.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        surroundings.put(
                "Elasticsearch",
                setting.stage()
                                .es()
                                .get("")
                                .json()
                                .path("version")
                                .path("number")
                                .asText() + ", one node, -Xmx" + elasticsearchHeap);
        if (quick) {
            surroundings.put("only tried", "all sizes are tiny, so that the figures tell nothing");
        }
        return surroundings;
    }

    /** Deletes what those that were killed have left. */
    private static void tidy(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, SERVERS + "*")) {
            for (Path servers : left) {
                String pid = servers.getFileName().toString().substring(SERVERS.length());
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Stage.delete(servers);
                }
            }
        }
    }
}
