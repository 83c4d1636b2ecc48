package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.DurationConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code deploy/local/up}. */
@Command(
        name = "up",
        sortOptions = false,
        description = {
            "Starts Elasticsearch, Kafka, workers and janitors on this machine, on free ports of 127.0.0.1, with empty data.",
            "Runs until Ctrl-C, and everything ends with it, also when it is killed."
        },
        footer = {
            "",
            "While it runs, deploy/local/run/stack.env tells the servers' addresses and the processes' ids.",
            "Next: deploy/local/index-tree /usr/share, then deploy/local/rename mv /doc /documentation"
        })
final class Up implements Callable<Integer> {

    @Option(names = "--detach", description = "Return when all is ready; deploy/local/down stops it.")
    private boolean detach;

    @Option(
            names = "--workers",
            defaultValue = "2",
            paramLabel = "N",
            description = "How many workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--janitors",
            defaultValue = "1",
            paramLabel = "N",
            description = "How many janitors, which take over what dead workers leave (default: ${DEFAULT-VALUE}).")
    private int janitors;

    @Option(
            names = "--lease",
            defaultValue = "5s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long a worker or janitor may be silent before it is taken for dead"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long a rename waits for locks that others hold (default: ${DEFAULT-VALUE}).")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--worker-option",
            paramLabel = "OPTION",
            description =
                    "An option for each worker, for example --worker-option=--page-size=1000; repeatable. Without it"
                            + " the workers use their defaults.")
    private List<String> workerOptions = List.of();

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "Where data and logs go, in a folder tree-rename-data that is emptied first"
                    + " (default: deploy/local/run).")
    private @Nullable Path folder;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new Up(), arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        Path data = folder == null ? LocalFolder.run() : folder.toAbsolutePath();
        RunningStack.Settings settings =
                new RunningStack.Settings(data, workers, janitors, lease, lockWait, workerOptions);
        if (detach) {
            return new DetachedUp(arguments(settings)).start();
        }
        UpLock lock = UpLock.take(LocalFolder.run());
        try (lock) {
            return run(settings);
        }
    }

    /** The command line of an {@code up} that runs in the foreground with these settings. */
    static List<String> arguments(RunningStack.Settings settings) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--workers=" + settings.workers());
        arguments.add("--janitors=" + settings.janitors());
        arguments.add("--lease=" + settings.lease().toMillis() + "ms");
        arguments.add("--lock-wait=" + settings.lockWait().toMillis() + "ms");
        settings.workerOptions().forEach(option -> arguments.add("--worker-option=" + option));
        arguments.add("--folder=" + settings.folder());
        return arguments;
    }

    private static int run(RunningStack.Settings settings) throws InterruptedException {
        forget();
        System.out.println("Starting Elasticsearch, Kafka, " + counted(settings.workers(), "worker") + " and "
                + counted(settings.janitors(), "janitor") + ", with empty data, below " + settings.data());
        try (RunningStack stack = RunningStack.start(settings, words -> System.out.println(words))) {
            Runtime.getRuntime().addShutdownHook(new Thread(Up::forget, "stack-env"));
            stack.env().write(LocalFolder.stackEnv());
            tell(stack);
            new CountDownLatch(1).await();
            return Commands.DONE;
        }
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static void forget() {
        try {
            Files.deleteIfExists(LocalFolder.stackEnv());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + LocalFolder.stackEnv(), e);
        }
    }

    private static void tell(RunningStack stack) {
        System.out.printf("%nThe local stack is ready:%n");
        line(
                "Elasticsearch",
                stack.elasticsearchUrl(),
                stack.servers().elasticsearch().pid(),
                stack.servers().elasticsearch().log());
        line(
                "Kafka",
                stack.kafkaBootstrapServers(),
                stack.servers().kafka().pid(),
                stack.servers().kafka().log());
        stack.services().forEach(service -> line(service.name(), service.httpUrl(), service.pid(), service.log()));
        stack.services().stream()
                .map(ServiceProcess::consoleUrl)
                .filter(url -> !url.isEmpty())
                .forEach(url -> System.out.printf("  %-14s %s%n", "console", url));
        System.out.printf(
                "The addresses and process ids are in %s.%n%nGo on with:%n"
                        + "  deploy/local/index-tree /usr/share          a real directory tree into Elasticsearch%n"
                        + "  deploy/local/rename mv /doc /documentation  a rename%n"
                        + "  deploy/local/rename-admin audit             what stands there that should not%n"
                        + "  deploy/local/serve                          renames over HTTP%n"
                        + "  deploy/local/down                           (or Ctrl-C here) to stop it all%n",
                LocalFolder.stackEnv());
    }

    private static void line(String what, String address, long pid, Path log) {
        System.out.printf("  %-14s %-24s pid %-8d log %s%n", what, address, pid, log);
    }
}
