package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.runtime.Settings;
import org.treerename.runtime.Time;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/** One worker or janitor in a process of its own, with the heap that is enough for any size. */
record Service(String name, ChildProcess process, Path log) implements AutoCloseable {

    static final String WORKER = "org.treerename.worker.Main";
    static final String JANITOR = "org.treerename.janitor.Main";

    static final String HEAP = "256m";

    private static final Duration READY = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration ORDERLY_END = Duration.ofSeconds(5);
    private static final String LIVE = " is live";
    private static final Pattern HTTP = Pattern.compile("metrics and health are on (http://[0-9.:]+)");

    /** Where the collector writes what each collection found and left. */
    private static final Pattern HEAP_BEFORE = Pattern.compile(" (\\d+)M->\\d+M\\(");

    /** By its name, for worker and janitor bring one each, alike, and two on one class path would be warned of. */
    private static final String LOGGING = "-Dlogback.configurationFile=org/treerename/host/logback.xml";

    /** Starts one; {@link #awaitLive} tells when it works. */
    static Service start(String mainClass, Path log, List<String> arguments) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try {
            ChildProcess process = JavaCommand.of(mainClass, classPath, log)
                    .jvmOptions(
                            "-Xmx" + HEAP,
                            "-XX:+UseSerialGC", // as it is chosen in a container of that size
                            "-Xlog:gc:file=" + heapLog(log) + ":uptime:filecount=0",
                            LOGGING,
                            "-Dfile.encoding=UTF-8")
                    .arguments(arguments.toArray(String[]::new))
                    .environment(Map.of(Settings.TEST_STACK, "true"))
                    .start();
            return new Service(log.getFileName().toString().replace(".log", ""), process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(mainClass + " cannot be started", e);
        }
    }

    /** Comes back when it is live. */
    Service awaitLive(Time time) {
        long begun = time.nanos();
        while (!told().contains(LIVE)) {
            if (!process.isAlive() || time.nanos() - begun > READY.toNanos()) {
                throw new IllegalStateException(name + " is not live; its log says:\n" + told());
            }
            time.pause(POLL);
        }
        return this;
    }

    long pid() {
        return process.pid();
    }

    /** What the processor has worked for it so far. */
    Duration processorTime() {
        return ProcStat.of(pid())
                .map(ProcStat::processor)
                .orElseThrow(() -> new IllegalStateException(name + " has ended; its log says:\n" + told()));
    }

    /** Where its metrics and its health are. */
    String httpUrl() {
        Matcher url = HTTP.matcher(told());
        if (!url.find()) {
            throw new IllegalStateException("where " + name + " listens is not told in " + log);
        }
        return url.group(1);
    }

    /** The most that its collector has found in the heap so far, in MB; 0 if it has not run. */
    long peakHeapMegabytes() {
        return HEAP_BEFORE
                .matcher(text(heapLog(log)))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .max()
                .orElse(0);
    }

    /** {@code kill -9}. */
    void kill() {
        process.kill();
    }

    private String told() {
        return text(log);
    }

    private static Path heapLog(Path log) {
        return Path.of(log + ".gc");
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** Asks it to stop, and waits for it. */
    @Override
    public void close() {
        process.stop(ORDERLY_END);
    }
}
