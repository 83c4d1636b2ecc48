package org.treerename.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * One Elasticsearch node on 127.0.0.1, without security unless its settings say otherwise, as two child processes: a launcher and the server. Both end with
 * this process, also when it is killed. Stopped, it can be restarted on the same data and ports.
 */
public final class ElasticsearchServer implements AutoCloseable {
    /** How long the server goes on after its launcher at most. */
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
     * Starts it and waits until it answers.
     *
     * @throws IllegalStateException with the end of its log, when it does not come up; nothing is left running then
     */
    public static ElasticsearchServer start(ElasticsearchSettings settings) {
        return start(settings, Unprivileged.wrapper());
    }

    static ElasticsearchServer start(ElasticsearchSettings settings, List<String> wrapper) {
        var recipe = new ElasticsearchRecipe(settings, ServerFiles.inCache().elasticsearch(), wrapper);
        var free = new LoopbackPorts();
        return new ElasticsearchServer(recipe, Startup.start(recipe, () -> free.chooseFor(settings.httpPort())));
    }

    public String url() {
        return recipe.url(ports);
    }

    /** For {@code discovery.seed_hosts} of another node. */
    public String transportAddress() {
        return "127.0.0.1:" + ports.getLast();
    }

    public Path log() {
        return recipe.log();
    }

    /** Of the server, not of its launcher. */
    public synchronized long pid() {
        return server.pid();
    }

    public synchronized long launcherPid() {
        return launcher.pid();
    }

    /** In good order where it obeys, else by force. Stopped already: nothing. */
    public synchronized void stop() {
        launcher.close();
        // the launcher waits for the server, unless somebody has killed it
        if (!ChildProcess.ended(server, AFTER_LAUNCHER)) {
            server.destroyForcibly();
        }
    }

    /** {@code kill -9} of both processes, as in a crash. */
    public synchronized void kill() {
        launcher.kill();
        server.destroyForcibly();
        ChildProcess.ended(server, AFTER_LAUNCHER);
    }

    /** Stops it if it runs, starts it on the same data and ports, and waits until it answers. */
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
                        () -> new IllegalStateException("Expected Elasticsearch's server as a child of its launcher "
                                + launcher.pid() + ", found none"));
    }
}
