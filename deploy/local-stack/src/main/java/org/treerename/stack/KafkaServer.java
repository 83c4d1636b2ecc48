package org.treerename.stack;

import java.nio.file.Path;
import java.util.List;

/**
 * One Kafka on 127.0.0.1, broker and controller in one child process, which ends with this process, also when it is
 * killed. Stopped, it can be restarted on the same data and ports.
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
     * Starts it and waits until it answers.
     *
     * @throws IllegalStateException with the end of its log, when it does not come up; nothing is left running then
     */
    public static KafkaServer start(KafkaSettings settings) {
        var recipe = new KafkaRecipe(settings, ServerFiles.inCache().kafkaLibs());
        var free = new LoopbackPorts();
        return new KafkaServer(recipe, Startup.start(recipe, () -> free.chooseFor(settings.port())));
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

    /** In good order where it obeys, else by force. Stopped already: nothing. */
    public synchronized void stop() {
        process.close();
    }

    /** {@code kill -9}, as in a crash. */
    public synchronized void kill() {
        process.kill();
    }

    /** Stops it if it runs, starts it on the same data and ports, and waits until it answers. */
    public synchronized void restart() {
        stop();
        process = Startup.start(recipe, () -> ports).process();
    }

    @Override
    public void close() {
        stop();
    }
}
