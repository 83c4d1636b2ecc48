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
import org.treerename.cli.DurationConverter;
import org.treerename.installation.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@code deploy/run/up}: starts a local stack without data, and stops the stack on Ctrl-C. */
@Command(
        name = "up",
        sortOptions = false,
        description = {
            "Starts Elasticsearch, Kafka, workers and janitors on this machine, without data. They use free ports of"
                    + " 127.0.0.1.",
            "The command runs until Ctrl-C. All its processes end with the command, even if the command is killed."
        },
        footer = {
            "",
            "While the stack runs, deploy/output/stack.env contains the addresses of the servers, and the process ids. The"
                    + " environment variable STACK_FOLDER names another folder than deploy/output, so that several"
                    + " stacks can run. Each command uses the stack in this folder.",
            "Next: deploy/run/index-tree /usr/share, then deploy/run/rename mv /doc /documentation"
        })
final class Up implements Callable<Integer> {

    @Option(
            names = "--detach",
            description = "Return when the servers and services are ready. deploy/run/down" + " stops them.")
    private boolean detach;

    @Option(
            names = "--workers",
            defaultValue = "2",
            paramLabel = "N",
            description = "The number of workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--janitors",
            defaultValue = "1",
            paramLabel = "N",
            description =
                    "The number of janitors (default: ${DEFAULT-VALUE}). Janitors finish the renames of dead workers.")
    private int janitors;

    @Option(
            names = "--lease",
            defaultValue = "5s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The time without a heartbeat after which a worker or janitor is treated as dead (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description =
                    "The longest time that a rename waits for locks of other renames (default: ${DEFAULT-VALUE}).")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--worker-option",
            paramLabel = "OPTION",
            description = "An option for each worker, for example --worker-option=--page-size=1000. Repeatable. Without"
                    + " this option, the workers use their defaults.")
    private List<String> workerOptions = List.of();

    @Option(
            names = "--prefix",
            defaultValue = "${env:TREE_RENAME_PREFIX:-}",
            paramLabel = "PREFIX",
            description = "The prefix of the names of the topics, of the consumer group and of the control index"
                    + " (default: none). The other commands in deploy/run use the same prefix.")
    private String prefix = "";

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "The folder for data and logs (default: STACK_FOLDER, or deploy/output). At the start, its"
                    + " subfolder tree-rename-data is emptied.")
    private @Nullable Path folder;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new Up(), arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        Path data = folder == null ? DeployFolder.stack() : folder.toAbsolutePath();
        RunningStack.Settings settings = new RunningStack.Settings(
                data, workers, janitors, lease, lockWait, workerOptions, new Installation(prefix));
        if (detach) {
            return new DetachedUp(arguments(settings)).start();
        }
        UpLock lock = UpLock.take(DeployFolder.stack());
        try (lock) {
            return run(settings);
        }
    }

    /** Returns the command line that runs {@code up} in the foreground with these settings. */
    static List<String> arguments(RunningStack.Settings settings) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--workers=" + settings.workers());
        arguments.add("--janitors=" + settings.janitors());
        arguments.add("--lease=" + settings.lease().toMillis() + "ms");
        arguments.add("--lock-wait=" + settings.lockWait().toMillis() + "ms");
        settings.workerOptions().forEach(option -> arguments.add("--worker-option=" + option));
        arguments.add("--prefix=" + settings.installation().prefix());
        arguments.add("--folder=" + settings.folder());
        return arguments;
    }

    private static int run(RunningStack.Settings settings) throws InterruptedException {
        deleteStackEnv();
        System.out.println("Starting Elasticsearch, Kafka, " + counted(settings.workers(), "worker") + " and "
                + counted(settings.janitors(), "janitor") + ". The new folder for data and logs is " + settings.data());
        try (RunningStack stack = RunningStack.start(settings, words -> System.out.println(words))) {
            Runtime.getRuntime().addShutdownHook(new Thread(Up::deleteStackEnv, "stack-env"));
            stack.env().write(DeployFolder.stackEnv());
            print(stack);
            new CountDownLatch(1).await();
            return Commands.DONE;
        }
    }

    private static String counted(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static void deleteStackEnv() {
        try {
            Files.deleteIfExists(DeployFolder.stackEnv());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + DeployFolder.stackEnv(), e);
        }
    }

    private static void print(RunningStack stack) {
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
                "The addresses and process ids are in %s.%n%nNext commands:%n"
                        + "  deploy/run/index-tree /usr/share          indexes a real directory tree%n"
                        + "  deploy/run/rename mv /doc /documentation  renames a directory%n"
                        + "  deploy/run/rename-admin audit             searches for locks and documents that should"
                        + " not exist%n"
                        + "  deploy/run/serve                          accepts renames over HTTP%n"
                        + "  deploy/run/down                           stops the stack (so does Ctrl-C, except after"
                        + " up --detach)%n",
                DeployFolder.stackEnv());
    }

    private static void line(String name, String address, long pid, Path log) {
        System.out.printf("  %-14s %-24s pid %-8d log %s%n", name, address, pid, log);
    }
}
