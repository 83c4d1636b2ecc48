package org.treerename.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server and waits until the server is ready. The ports are chosen before the server binds them, so another
 * process may bind a port first. In this case, the start is repeated with other ports, or with the same ports if the
 * settings fix them.
 *
 * <p>If the start fails or the thread is interrupted, this class kills the process that it has started.
 */
final class Startup {
    static final Duration TIMEOUT = Duration.ofMinutes(5);
    static final int TRIES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Startup.class);

    /** Writes the configuration of one kind of server, and checks whether the server answers. */
    interface Recipe {
        String name();

        /** Writes the configuration. Returns the command that starts the server. */
        JavaCommand prepare(List<Integer> ports) throws IOException;

        /** Returns whether this server answers. An answer from another server on the same port does not count. */
        boolean answers(List<Integer> ports);
    }

    /** The process and the ports of a server that answers. */
    record Started(ChildProcess process, List<Integer> ports) {}

    private Startup() {}

    static Started start(Recipe recipe, Supplier<List<Integer>> chooser) {
        for (int attempt = 1; ; attempt++) {
            List<Integer> ports = chooser.get();
            try {
                ChildProcess process = start(recipe, ports);
                LOG.info("{} is ready on port {} (pid {})", recipe.name(), ports.getFirst(), process.pid());
                return new Started(process, ports);
            } catch (PortTakenException portTaken) {
                if (attempt == TRIES) {
                    throw new IllegalStateException(
                            recipe.name() + " did not start in " + TRIES
                                    + " tries, because another process used one of its ports each time;"
                                    + " the last ports were " + ports,
                            portTaken);
                }
                LOG.warn("{}: another process uses one of the ports {}; trying again", recipe.name(), ports);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot start " + recipe.name(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting for the start of " + recipe.name(), e);
            }
        }
    }

    private static ChildProcess start(Recipe recipe, List<Integer> ports)
            throws IOException, InterruptedException, PortTakenException {
        JavaCommand command = recipe.prepare(ports);
        LogTail log = LogTail.fromNow(command.log());
        ChildProcess process = command.start();
        boolean ready = false;
        try {
            boolean decided = Poll.until(TIMEOUT, () -> !process.isAlive() || recipe.answers(ports));
            ready = decided && process.isAlive();
            if (!decided) {
                throw new IllegalStateException(recipe.name() + " is not ready after " + TIMEOUT + "; " + log);
            }
            if (!ready && log.text().contains("Address already in use")) {
                throw new PortTakenException(
                        recipe.name() + ": another process uses one of the ports " + ports + "; " + log);
            }
            if (!ready) {
                throw new IllegalStateException(recipe.name() + " ended before it was ready; " + log);
            }
            return process;
        } finally {
            if (!ready) {
                process.kill();
            }
        }
    }
}
