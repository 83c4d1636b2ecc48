package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.runtime.Time;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/** One worker or janitor in a separate process. The heap of the process is large enough for trees of any size. */
record Service(String name, ChildProcess process, Path log) implements AutoCloseable {

    static final String WORKER = "org.treerename.worker.Main";
    static final String JANITOR = "org.treerename.janitor.Main";

    static final String HEAP = "256m";

    private static final Duration READY = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration ORDERLY_END = Duration.ofSeconds(5);
    private static final String LIVE = " is live";
    private static final Pattern HTTP = Pattern.compile("metrics and health are on (http://[0-9.:]+)");

    /** Finds the used heap before a collection in the log of the garbage collector. */
    private static final Pattern HEAP_BEFORE = Pattern.compile(" (\\d+)M->\\d+M\\(");

    /**
     * The logging configuration. The class path contains two files {@code logback.xml}, one of the worker and one of
     * the janitor. This option names a file that exists only once, so Logback does not warn about the two files.
     */
    private static final String LOGGING = "-Dlogback.configurationFile=org/treerename/service/logback.xml";

    /** Starts a service. The caller must then wait with {@link #awaitLive} until the service is live. */
    static Service start(String mainClass, Path log, List<String> arguments) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try {
            ChildProcess process = JavaCommand.of(mainClass, classPath, log)
                    .jvmOptions(
                            "-Xmx" + HEAP,
                            "-XX:+UseSerialGC", // the JVM selects this collector in a container of this size
                            "-Xlog:gc:file=" + heapLog(log) + ":uptime:filecount=0",
                            LOGGING,
                            "-Dfile.encoding=UTF-8")
                    .arguments(arguments.toArray(String[]::new))
                    .start();
            return new Service(log.getFileName().toString().replace(".log", ""), process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + mainClass, e);
        }
    }

    /** Blocks until the service is live. */
    Service awaitLive(Time time) {
        long begun = time.nanos();
        while (!logText().contains(LIVE)) {
            if (!process.isAlive() || time.nanos() - begun > READY.toNanos()) {
                throw new IllegalStateException(
                        name + ": expected that the service is live within " + READY + ", but the service "
                                + (process.isAlive() ? "is not live" : "has ended") + "; its log:\n" + logText());
            }
            time.pause(POLL);
        }
        return this;
    }

    long pid() {
        return process.pid();
    }

    /** Returns the processor time that the service has used so far. */
    Duration processorTime() {
        return ProcStat.of(pid())
                .map(ProcStat::processor)
                .orElseThrow(() -> new IllegalStateException(name + " has ended; its log:\n" + logText()));
    }

    /** Returns the URL at which the service serves metrics and health. */
    String httpUrl() {
        Matcher url = HTTP.matcher(logText());
        if (!url.find()) {
            throw new IllegalStateException("expected the address of " + name + " in its log " + log + ", found none");
        }
        return url.group(1);
    }

    /**
     * Returns the largest used heap before a garbage collection so far, in MB. Returns 0 if there was no garbage
     * collection.
     */
    long peakHeapMegabytes() {
        return HEAP_BEFORE
                .matcher(text(heapLog(log)))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .max()
                .orElse(0);
    }

    /** Kills the process by {@code kill -9}. */
    void kill() {
        process.kill();
    }

    private String logText() {
        return text(log);
    }

    private static Path heapLog(Path log) {
        return Path.of(log + ".gc");
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Shuts down the service gracefully, and waits until the process has ended. */
    @Override
    public void close() {
        process.stop(ORDERLY_END);
    }
}
