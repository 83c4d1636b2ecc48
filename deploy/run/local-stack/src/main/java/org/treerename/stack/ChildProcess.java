package org.treerename.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A Java program in a child process. The child ends when this process ends, even if this process is killed by {@code
 * kill -9} (see {@link Tether}). {@link JavaCommand#start()} creates the child.
 */
public final class ChildProcess implements AutoCloseable {
    /** The time that {@link #close()} waits for a graceful shutdown. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

    /** For each descendant. A dead process seems to be alive until its parent has read its exit code. */
    private static final Duration DESCENDANT_TIMEOUT = Duration.ofSeconds(2);

    private final String name;

    /** The standard input of the child stays open until this process dies. */
    private final Process process;

    private final Path log;

    ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the live processes that the program has started itself. */
    public List<ProcessHandle> children() {
        return process.children().toList();
    }

    /** Returns the live processes that descend from the program. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /**
     * Waits until the program ends by itself, and returns its exit code. Throws {@link IllegalStateException} if the
     * program has not ended after the timeout.
     */
    public int waitFor(Duration timeout) {
        if (!ended(process.onExit(), timeout)) {
            throw new IllegalStateException(name + " (pid " + pid() + "): expected its end within " + timeout.toMillis()
                    + " ms, but it is still running; " + LogTail.of(log));
        }
        return process.exitValue();
    }

    /**
     * Sends SIGTERM to the program. If the program has not ended after {@code patience}, sends SIGKILL to the program
     * and its descendants. Does nothing if the program has ended.
     */
    public void stop(Duration patience) {
        List<ProcessHandle> descendants = descendants();
        // Process.destroy() would also close standard input, and then the tether would halt the child
        process.toHandle().destroy();
        if (!ended(process.onExit(), patience)) {
            kill(descendants);
        }
    }

    /** Sends SIGKILL to the program and its descendants. */
    public void kill() {
        kill(descendants());
    }

    /** Calls {@link #stop} with {@link #PATIENCE}. */
    @Override
    public void close() {
        stop(PATIENCE);
    }

    /**
     * Returns whether the process ends within {@code timeout}. An interrupt does not end the wait, and the interrupt
     * status is kept.
     */
    static boolean ended(ProcessHandle process, Duration timeout) {
        return ended(process.onExit(), timeout);
    }

    private static boolean ended(CompletableFuture<?> end, Duration timeout) {
        return end.thenApply(process -> true)
                .completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Kills the descendants before the program, because only a live parent can read the exit codes of its children. */
    private void kill(List<ProcessHandle> descendants) {
        descendants.forEach(ProcessHandle::destroyForcibly);
        descendants.forEach(descendant -> ended(descendant, DESCENDANT_TIMEOUT));
        process.destroyForcibly();
        if (!ended(process.onExit(), KILL_TIMEOUT)) {
            throw new IllegalStateException(name + " (pid " + pid()
                    + "): expected its end after SIGKILL, but it is alive after " + KILL_TIMEOUT.toSeconds() + " s");
        }
    }
}
