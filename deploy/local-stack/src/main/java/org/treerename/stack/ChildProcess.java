package org.treerename.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A Java program as a child that dies with this process, even when this process is killed by {@code kill -9} (see
 * {@link Tether}). Made by {@link JavaCommand#start()}. Any thread may call it.
 */
public final class ChildProcess implements AutoCloseable {
    /** How long {@link #close()} waits for an orderly end. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration DEATH = Duration.ofSeconds(10);

    /** A dead descendant that nobody has waited for yet still looks alive. */
    private static final Duration BURIAL = Duration.ofSeconds(2);

    private final String name;

    /** Holds the child's standard input open. */
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

    /** The processes that it has started itself, now. */
    public List<ProcessHandle> children() {
        return process.children().toList();
    }

    /** The processes that descend from it, now. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Waits at most so long for the program to end by itself; its exit code. */
    public int waitFor(Duration timeout) {
        if (!ended(process.onExit(), timeout)) {
            throw new IllegalStateException(
                    name + " (pid " + pid() + ") has not ended within " + timeout + "; " + LogTail.of(log));
        }
        return process.exitValue();
    }

    /** SIGTERM; after {@code patience} SIGKILL, for what it has started too. Ended already: nothing. */
    public void stop(Duration patience) {
        List<ProcessHandle> descendants = descendants();
        process.toHandle().destroy(); // Process.destroy() would close standard input too, and so cut the tether
        if (!ended(process.onExit(), patience)) {
            kill(descendants);
        }
    }

    /** SIGKILL, for what it has started too. */
    public void kill() {
        kill(descendants());
    }

    /** As {@link #stop} with {@link #PATIENCE}. */
    @Override
    public void close() {
        stop(PATIENCE);
    }

    /** Whether this process ends within {@code timeout}. An interruption is neither obeyed nor lost. */
    static boolean ended(ProcessHandle process, Duration timeout) {
        return ended(process.onExit(), timeout);
    }

    private static boolean ended(CompletableFuture<?> end, Duration timeout) {
        return end.thenApply(process -> true)
                .completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Descendants first, so that their parent is there to bury them. */
    private void kill(List<ProcessHandle> descendants) {
        descendants.forEach(ProcessHandle::destroyForcibly);
        descendants.forEach(descendant -> ended(descendant, BURIAL));
        process.destroyForcibly();
        if (!ended(process.onExit(), DEATH)) {
            throw new IllegalStateException(name + " (pid " + pid() + ") is alive " + DEATH + " after SIGKILL");
        }
    }
}
