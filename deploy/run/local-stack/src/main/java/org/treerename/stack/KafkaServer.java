package org.treerename.stack;

import java.nio.file.Path;
import java.util.List;

/**
 * One Kafka server on 127.0.0.1: a broker and a controller in one child process. The child ends when this process ends,
 * even if this process is killed. A stopped Kafka can be restarted on the same data and ports.
 */
public final class KafkaServer implements AutoCloseable {
    private final KafkaRecipe recipe;
    private final List<Integer> ports;
    private ChildProcess process;

    private KafkaServer(KafkaRecipe recipe, Startup.Started started) {
        this.recipe = recipe;
        this.ports = started.ports();
        this.process = started.process();
    }

    /**
     * Starts Kafka and waits until it answers.
     *
     * @throws IllegalStateException if Kafka does not start. The message contains the end of the log, and no process is
     *     left running
     */
    public static KafkaServer start(KafkaSettings settings) {
        var recipe = new KafkaRecipe(settings, ServerFiles.inCache().kafkaLibs());
        var freePorts = new LoopbackPorts();
        return new KafkaServer(recipe, Startup.start(recipe, () -> freePorts.chooseFor(settings.port())));
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + ports.getFirst();
    }

    public Path log() {
        return recipe.log();
    }

    public synchronized long pid() {
        return process.pid();
    }

    /** Shuts down Kafka gracefully, or kills it if the shutdown takes too long. Does nothing if Kafka is stopped. */
    public synchronized void stop() {
        process.close();
    }

    /** Kills the process by {@code kill -9}, as in a crash. */
    public synchronized void kill() {
        process.kill();
    }

    /** Stops Kafka if it runs, starts it on the same data and ports, and waits until it answers. */
    public synchronized void restart() {
        stop();
        process = Startup.start(recipe, () -> ports).process();
    }

    @Override
    public void close() {
        stop();
    }
}
