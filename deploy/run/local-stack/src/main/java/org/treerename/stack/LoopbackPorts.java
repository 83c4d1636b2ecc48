package org.treerename.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Chooses ports that are currently free on the loopback address.
 *
 * <p>The ports are below the range that Linux uses for the client side of connections (32768 and higher). Otherwise the
 * connection of a client could use the port of a stopped server. This would prevent a restart of the server.
 */
final class LoopbackPorts {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 1_000;

    private final Random random = new Random();

    /** Returns the given number of different free ports. */
    List<Integer> choose(int count) {
        List<Integer> free = random.ints(TRIES, FIRST, LAST)
                .distinct()
                .filter(LoopbackPorts::isFree)
                .limit(count)
                .boxed()
                .toList();
        if (free.size() < count) {
            throw new IllegalStateException("Expected " + count + " free ports on 127.0.0.1 between " + FIRST + " and "
                    + LAST + ", found " + free.size() + " in " + TRIES + " tries");
        }
        return free;
    }

    /**
     * Returns two ports. The first is the fixed port of the settings, or a free port if the settings have none. The
     * second is a free port.
     */
    List<Integer> chooseFor(OptionalInt fixed) {
        return fixed.isPresent() ? List.of(fixed.getAsInt(), choose(1).getFirst()) : choose(2);
    }

    static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
