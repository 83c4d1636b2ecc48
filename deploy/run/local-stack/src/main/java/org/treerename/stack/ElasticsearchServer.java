package org.treerename.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Runs one Elasticsearch node on 127.0.0.1. Security is off unless the settings switch it on. The node consists of two
 * processes: a launcher and the server. Both processes end when this process ends, even if this process is killed. A
 * stopped node can be restarted on the same data and ports.
 */
public final class ElasticsearchServer implements AutoCloseable {
    /** The longest time for which the server may run after the end of its launcher. */
    private static final Duration AFTER_LAUNCHER = Duration.ofSeconds(10);

    private final ElasticsearchRecipe recipe;
    private final List<Integer> ports;
    private ChildProcess launcher;
    private ProcessHandle server;

    private ElasticsearchServer(ElasticsearchRecipe recipe, Startup.Started started) {
        this.recipe = recipe;
        this.ports = started.ports();
        this.launcher = started.process();
        this.server = serverOf(launcher);
    }

    /**
     * Starts the node and waits until it answers.
     *
     * @throws IllegalStateException if the node does not start. The message contains the end of the log, and no process
     *     is left running
     */
    public static ElasticsearchServer start(ElasticsearchSettings settings) {
        return start(settings, Unprivileged.wrapper());
    }

    /** Starts a node of another Elasticsearch, as {@link #start(ElasticsearchSettings)} does. */
    public static ElasticsearchServer start(ElasticsearchSettings settings, Path home) {
        return start(settings, home, Unprivileged.wrapper());
    }

    static ElasticsearchServer start(ElasticsearchSettings settings, List<String> wrapper) {
        return start(settings, ServerFiles.inCache().elasticsearch(), wrapper);
    }

    private static ElasticsearchServer start(ElasticsearchSettings settings, Path home, List<String> wrapper) {
        var recipe = new ElasticsearchRecipe(settings, home, wrapper);
        var freePorts = new LoopbackPorts();
        return new ElasticsearchServer(recipe, Startup.start(recipe, () -> freePorts.choose(2)));
    }

    public String url() {
        return recipe.url(ports);
    }

    public Path log() {
        return recipe.log();
    }

    /** Returns the process id of the server, not of its launcher. */
    public synchronized long pid() {
        return server.pid();
    }

    /**
     * Shuts down the node gracefully, or kills it if the shutdown takes too long. Does nothing if the node is stopped.
     */
    public synchronized void stop() {
        launcher.close();
        // the launcher waits for the server, unless the launcher was killed
        if (!ChildProcess.ended(server, AFTER_LAUNCHER)) {
            server.destroyForcibly();
        }
    }

    /** Kills both processes by {@code kill -9}, as in a crash. */
    public synchronized void kill() {
        launcher.kill();
        server.destroyForcibly();
        ChildProcess.ended(server, AFTER_LAUNCHER);
    }

    /** Stops the node if it runs, starts it on the same data and ports, and waits until it answers. */
    public synchronized void restart() {
        stop();
        launcher = Startup.start(recipe, () -> ports).process();
        server = serverOf(launcher);
    }

    @Override
    public void close() {
        stop();
    }

    private static ProcessHandle serverOf(ChildProcess launcher) {
        return launcher.children().stream()
                .max(Comparator.comparing(child -> child.info().startInstant().orElse(Instant.MIN)))
                .orElseThrow(
                        () -> new IllegalStateException("Expected a child process of Elasticsearch's launcher (pid "
                                + launcher.pid() + "), found none"));
    }
}
