package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Breaks one guard of the protocol at a time in a copy of a work tree, and runs a test command. Any thread may call
 * {@link #close()}. Only one thread calls the other methods.
 */
final class GuardTrial implements AutoCloseable {

    /** The result of a test command. */
    sealed interface Result {
        /** The tests passed. */
        record Survived() implements Result {}

        /** The broken code does not compile. */
        record DoesNotCompile() implements Result {}

        /** The work tree does not contain the lines of the guard. */
        record NotFound() implements Result {}

        /**
         * A test failed, or the test command exceeded the time limit.
         *
         * @param by the first test that failed, or the time limit
         */
        record Caught(String by) implements Result {}
    }

    private static final Pattern DOES_NOT_COMPILE = Pattern.compile("COMPILATION ERROR");
    /** Matches a line that reports a failed test, in the format of this project or in the format of Surefire. */
    private static final Pattern FAILED_TEST = Pattern.compile("^FAILED \\S+|<<< (?:FAILURE|ERROR)!");

    private static final long NONE = 0;

    private final Path copy;
    private final Path logs;
    private final Duration limit;

    private int runs;

    /** The process group of the running test command. Guarded by the monitor of this object. */
    private long group = NONE;

    /** Whether this trial is closed. Guarded by the monitor of this object. */
    private boolean closed;

    private GuardTrial(Path copy, Path logs, Duration limit) {
        this.copy = copy;
        this.logs = logs;
        this.limit = limit;
    }

    /**
     * Clones a repository into a temporary folder.
     *
     * @param logs the folder for the output of each command
     * @param limit the time limit of each command
     */
    static GuardTrial of(Path repository, String revision, Path logs, Duration limit) {
        try {
            Files.createDirectories(logs);
            GuardTrial trial = new GuardTrial(Files.createTempDirectory("broken-guards"), logs, limit);
            trial.require("git", "clone", "--quiet", "--no-checkout", repository.toString(), trial.copy.toString());
            trial.require("git", "-C", trial.copy.toString(), "checkout", "--quiet", "--detach", revision);
            return trial;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the paths of the source files at or below these places, sorted. */
    List<String> sources(List<String> places) {
        List<String> sources = new ArrayList<>();
        for (String place : places) {
            try (Stream<Path> files = Files.walk(copy.resolve(place))) {
                files.map(file -> copy.relativize(file).toString().replace('\\', '/'))
                        .filter(file -> file.endsWith(".java") || file.endsWith(".painless"))
                        .forEach(sources::add);
            } catch (IOException e) {
                throw new IllegalArgumentException("--in: cannot read " + place + " in the work tree", e);
            }
        }
        return sources.stream().sorted().distinct().toList();
    }

    List<String> lines(String file) {
        try {
            return List.of(Files.readString(copy.resolve(file)).split("\n", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the test command on the unchanged code. */
    Result test(String command) {
        return run(command);
    }

    /** Breaks a guard, runs the test command, and restores the guard. */
    Result test(Mutation mutation, String command) {
        Path file = copy.resolve(mutation.file());
        if (!Files.exists(file)) {
            return new Result.NotFound();
        }
        List<String> lines = lines(mutation.file());
        List<String> broken = mutation.in(lines);
        if (broken.isEmpty()) {
            return new Result.NotFound();
        }
        write(file, broken);
        try {
            return run(command);
        } finally {
            write(file, lines);
        }
    }

    /** Returns the log of the last command. */
    Path log() {
        return logs.resolve(runs + ".log");
    }

    private synchronized void write(Path file, List<String> lines) {
        requireOpen();
        try {
            Files.writeString(file, String.join("\n", lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Result run(String command) {
        runs++;
        try {
            Optional<Integer> code = code(List.of("bash", "-c", command), copy);
            String output = Files.readString(log());
            if (code.isEmpty()) {
                return new Result.Caught("the time limit of " + limit.toSeconds() + " s");
            }
            if (code.get() == 0) {
                return new Result.Survived();
            }
            return DOES_NOT_COMPILE.matcher(output).find()
                    ? new Result.DoesNotCompile()
                    : new Result.Caught(firstFailure(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstFailure(String output) {
        return output.lines()
                .filter(line -> FAILED_TEST.matcher(line).find() && !line.contains("Tests run:"))
                .findFirst()
                .or(() -> output.lines().filter(line -> line.contains("ERROR")).findFirst())
                .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")
                        .replaceFirst("^FAILED |^.*ERROR\\] +", "")
                        .replaceFirst(" +-- Time elapsed.*$", ""))
                .orElse("exit code other than 0");
    }

    private void require(String... words) throws IOException {
        Optional<Integer> code = code(List.of(words), logs);
        if (code.isEmpty() || code.get() != 0) {
            throw new IllegalStateException(String.join(" ", words) + " failed: "
                    + Files.readString(log()).strip());
        }
    }

    /** Returns the exit code of a command; empty if the command took longer than the limit. */
    private Optional<Integer> code(List<String> words, Path folder) throws IOException {
        Process process = start(words, folder);
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.of(process.exitValue());
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + String.join(" ", words), e);
        } finally {
            killGroup();
        }
    }

    private synchronized Process start(List<String> words, Path folder) throws IOException {
        requireOpen();
        // the command runs in its own process group, so that close() kills every process that the command has started
        List<String> command =
                Stream.concat(Stream.of("setsid"), words.stream()).toList();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log().toFile())
                .start();
        group = process.pid();
        return process;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the trial is closed, and the copy of the work tree is deleted");
        }
    }

    /** Kills the running command and every process that it has started. Does nothing if no command runs. */
    private synchronized void killGroup() {
        if (group == NONE) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-KILL", "--", "-" + group)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            group = NONE;
        }
    }

    /** Ends the running command, and deletes the copy. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        killGroup();
        try {
            Files.walkFileTree(copy, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
