package org.treerename.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Chooses ports that are free on the loopback address now.
 *
 * <p>They lie below the range that Linux takes the client side of connections from (32768 and up): else a client that
 * keeps calling a stopped server could by chance be given the server's own port, and the server could not come back.
 */
final class LoopbackPorts {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 1_000;

    private final Random random = new Random();

    /** So many different ports. */
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

    /** The first one fixed, if the settings name it, and another one. */
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
