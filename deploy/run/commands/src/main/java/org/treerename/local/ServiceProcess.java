package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/** One worker or janitor of a local stack, in a separate process. */
record ServiceProcess(Service service, int number, ChildProcess process, Path log) {

    /**
     * The services of a local stack, each with its main class. Process documents contain the name of the constant in
     * lower case.
     */
    enum Service {
        WORKER("org.treerename.worker.Main"),
        JANITOR("org.treerename.janitor.Main");

        private final String main;

        Service(String main) {
            this.main = main;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern HTTP = Pattern.compile("metrics and health are on (http://[0-9.:]+)");
    private static final Pattern CONSOLE = Pattern.compile("the console is on (http://\\S+)");
    private static final String HEAP = "-Xmx256m";

    /** Worker and janitor each contain a copy of this file. Logback would warn about two copies on one class path. */
    private static final String LOGGING = "-Dlogback.configurationFile=org/treerename/service/logback.xml";

    /** Short, because no later stack uses the data. */
    private static final Duration ORDERLY_END = Duration.ofSeconds(5);

    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(5);
    private static final String SWEEP_EVERY = "5s";

    static ServiceProcess worker(int number, RunningStack.Settings settings, List<String> servers) {
        return start(Service.WORKER, number, settings, workerArguments(settings, servers));
    }

    /** Returns the command-line arguments of a worker. */
    static List<String> workerArguments(RunningStack.Settings settings, List<String> servers) {
        List<String> arguments = new ArrayList<>(servers);
        arguments.add("--lease=" + settings.lease().toMillis() + "ms");
        arguments.add("--lock-wait=" + settings.lockWait().toMillis() + "ms");
        arguments.addAll(settings.workerOptions());
        return arguments;
    }

    static ServiceProcess janitor(int number, RunningStack.Settings settings, List<String> servers) {
        List<String> arguments = new ArrayList<>(servers);
        arguments.add("--lease=" + settings.lease().toMillis() + "ms");
        arguments.add("--sweep-every=" + SWEEP_EVERY);
        return start(Service.JANITOR, number, settings, arguments);
    }

    private static ServiceProcess start(
            Service service, int number, RunningStack.Settings settings, List<String> arguments) {
        Path log = settings.data().resolve(service.word() + "-" + number + ".log");
        try {
            ChildProcess process = JavaCommand.of(service.main, System.getProperty("java.class.path"), log)
                    .jvmOptions(HEAP, LOGGING, "-Dfile.encoding=UTF-8")
                    .arguments(arguments.toArray(String[]::new))
                    .start();
            return new ServiceProcess(service, number, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + service.word() + " " + number, e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the exit code of a process that has ended. */
    int exitCode() {
        return process.waitFor(EXIT_TIMEOUT);
    }

    /**
     * Reads the address of the service's metrics and health from the log. Returns an empty text if the log does not
     * contain the address.
     */
    String httpUrl() {
        return addressInLog(HTTP);
    }

    /** Reads the address of the service's console from the log. Returns an empty text if the service has no console. */
    String consoleUrl() {
        return addressInLog(CONSOLE);
    }

    private String addressInLog(Pattern pattern) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.map(pattern::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log of " + this, e);
        }
    }

    void onEnd(Consumer<ServiceProcess> listener) {
        ProcessHandle.of(pid())
                .ifPresentOrElse(
                        handle -> {
                            var unused = handle.onExit().thenRun(() -> listener.accept(this));
                        },
                        () -> listener.accept(this));
    }

    void stop() {
        process.stop(ORDERLY_END);
    }

    String name() {
        return service.word() + " " + number;
    }

    @Override
    public String toString() {
        return name() + " (pid " + pid() + ")";
    }
}
