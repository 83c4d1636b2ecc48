package org.treerename.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server and waits until it is ready. Ports are chosen before the server binds them, so that another process can
 * take one in between: then it is tried again, on other ports where the settings leave them free.
 *
 * <p>However it fails, by an interruption too, the child is dead afterwards.
 */
final class Startup {
    static final Duration TIMEOUT = Duration.ofMinutes(2);
    static final int TRIES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Startup.class);

    /** What one kind of server is started by. */
    interface Recipe {
        String name();

        /** Writes its configuration; what to start then. */
        JavaCommand prepare(List<Integer> ports) throws IOException;

        /** Whether it answers: this one, not another that happens to listen on its port. */
        boolean answers(List<Integer> ports);
    }

    /** A server that is ready. */
    record Started(ChildProcess process, List<Integer> ports) {}

    private Startup() {}

    static Started start(Recipe recipe, Supplier<List<Integer>> choice) {
        for (int attempt = 1; ; attempt++) {
            List<Integer> ports = choice.get();
            try {
                ChildProcess process = start(recipe, ports);
                LOG.info("{} is ready on port {} (pid {})", recipe.name(), ports.getFirst(), process.pid());
                return new Started(process, ports);
            } catch (PortTakenException taken) {
                if (attempt == TRIES) {
                    throw new IllegalStateException(
                            recipe.name() + " found one of its ports taken " + TRIES + " times, last of " + ports,
                            taken);
                }
                LOG.warn("{} found one of the ports {} taken and is started again", recipe.name(), ports);
            } catch (IOException e) {
                throw new UncheckedIOException(recipe.name() + " cannot be started", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while " + recipe.name() + " was starting", e);
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
                throw new PortTakenException(recipe.name() + " found one of " + ports + " taken; " + log);
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
