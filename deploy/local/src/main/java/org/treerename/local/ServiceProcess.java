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
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.treerename.runtime.Settings;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/** One worker or janitor of a local stack, in a process of its own. */
record ServiceProcess(Service service, int number, ChildProcess process, Path log) {

    /** What can run, by the name that its process documents carry. */
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

    /** By its name, for worker and janitor bring one each, alike, and two on one class path would be warned of. */
    private static final String LOGGING = "-Dlogback.configurationFile=org/treerename/host/logback.xml";

    /** Short: what it has under way is of no use to anybody when the servers end with it. */
    private static final Duration ORDERLY_END = Duration.ofSeconds(5);

    private static final Duration NO_TIME = Duration.ofSeconds(5);
    private static final String SWEEP_EVERY = "5s";

    static ServiceProcess worker(int number, RunningStack.Settings settings, List<String> servers) {
        return start(Service.WORKER, number, settings, workerArguments(settings, servers));
    }

    /** The command line of a worker. An option that no setting names has the worker's own default. */
    static List<String> workerArguments(RunningStack.Settings settings, List<String> servers) {
        List<String> arguments = new ArrayList<>(servers);
        arguments.add("--group-id=" + RunningStack.GROUP);
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
                    .environment(Map.of(Settings.TEST_STACK, "true"))
                    .start();
            return new ServiceProcess(service, number, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(service.word() + " " + number + " cannot be started", e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Of one that has ended. */
    int exitCode() {
        return process.waitFor(NO_TIME);
    }

    /** Whether it has, or had, this process id: it tells so in its log. */
    boolean hasProcessId(String processId) {
        try {
            return Files.readString(log, StandardCharsets.UTF_8).contains(processId + " is live");
        } catch (IOException e) {
            throw new UncheckedIOException("the log of " + this + " cannot be read", e);
        }
    }

    /** Where its metrics and its health are, as it tells in its log once it has begun. */
    String httpUrl() {
        return told(HTTP);
    }

    /** Where its console is, likewise; empty if it has none. */
    String consoleUrl() {
        return told(CONSOLE);
    }

    private String told(Pattern where) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.map(where::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException("the log of " + this + " cannot be read", e);
        }
    }

    void onEnd(Consumer<ServiceProcess> told) {
        ProcessHandle.of(pid())
                .ifPresentOrElse(
                        handle -> {
                            var unused = handle.onExit().thenRun(() -> told.accept(this));
                        },
                        () -> told.accept(this));
    }

    void stop() {
        process.stop(ORDERLY_END);
    }

    /** {@code kill -9}. */
    void kill() {
        process.kill();
    }

    String name() {
        return service.word() + " " + number;
    }

    @Override
    public String toString() {
        return name() + " (pid " + pid() + ")";
    }
}
