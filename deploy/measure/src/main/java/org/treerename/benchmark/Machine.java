package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.treerename.runtime.Time;

/**
 * Describes the machine of a run. From the beginning of the run, this class regularly reads the processor times of all
 * processes. The class needs Linux.
 */
final class Machine implements AutoCloseable {

    private static final Path PROC = Path.of("/proc");
    private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(2);

    private final Time time;
    private final Progress progress;
    private final long begunNanos;
    private final Neighbours neighbours = new Neighbours();
    private final ScheduledExecutorService sampling = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("neighbours").factory());

    private Machine(Time time, Progress progress) {
        this.time = time;
        this.progress = progress;
        this.begunNanos = time.nanos();
    }

    /** Creates an instance that regularly reads the processor times of all processes, until it is closed. */
    static Machine watched(Time time, Progress progress) {
        Machine machine = new Machine(time, progress);
        machine.sample();
        var unused = machine.sampling.scheduleWithFixedDelay(
                machine::sampleOrLog, BETWEEN_SAMPLES.toMillis(), BETWEEN_SAMPLES.toMillis(), TimeUnit.MILLISECONDS);
        return machine;
    }

    /** Describes the machine, and the processor time that programs outside the run have used since the run began. */
    Map<String, String> describe() {
        sample();
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put(
                "machine",
                Runtime.getRuntime().availableProcessors() + " processors ("
                        + value(PROC.resolve("cpuinfo"), "model name") + "), memory "
                        + value(PROC.resolve("meminfo"), "MemTotal") + ", " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version"));
        machine.put(
                "the run so far", Duration.ofNanos(time.nanos() - begunNanos).toSeconds() + " s");
        machine.putAll(neighbours.describe(Duration.ofNanos(Math.max(1, time.nanos() - begunNanos))));
        return machine;
    }

    private void sampleOrLog() {
        try {
            sample();
        } catch (RuntimeException e) {
            progress.report(
                    "cannot read the processes of this machine (" + e + "); trying again in " + BETWEEN_SAMPLES);
        }
    }

    private void sample() {
        Set<Long> own = new HashSet<>(Set.of(ProcessHandle.current().pid()));
        ProcessHandle.current().descendants().forEach(child -> own.add(child.pid()));
        neighbours.sample(processes(), own, load(read(PROC.resolve("loadavg"))));
    }

    private static Map<Long, ProcStat> processes() {
        Map<Long, ProcStat> processes = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                long pid = Long.parseLong(process.getFileName().toString());
                ProcStat.of(pid)
                        .map(stat -> new ProcStat(Program.of(pid, stat.name()), stat.processor()))
                        .ifPresent(stat -> processes.put(pid, stat));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return processes;
    }

    /** Returns the load average of the last minute: the first number in the text of {@code /proc/loadavg}. */
    static double load(String text) {
        return Double.parseDouble(text.split(" ", -1)[0]);
    }

    /** Returns the text after the colon in the first line that begins with {@code name}. */
    static String value(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .orElse("unknown");
    }

    private static String value(Path file, String name) {
        return value(read(file), name);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        sampling.shutdownNow();
    }
}
