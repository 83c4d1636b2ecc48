package org.treerename.http;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;

/**
 * The open connections of a server. Limits how many connections one address has, and closes connections whose client is
 * too slow. Each connection has a thread from its accept to its end, and an interrupt of the thread closes the socket.
 * A timeout of the socket is not enough, because the timeout begins again with each byte. Any thread may call this
 * class; one thread calls {@link #poll}.
 */
final class Connections {

    /**
     * The state of a connection.
     *
     * @param from the address of the client, or its network
     * @param untilNanos the end of the time for which the thread waits for the client; null if it does not wait
     */
    private record Connection(ByteBuffer from, @Nullable Long untilNanos) {}

    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    /** A client with IPv6 usually chooses its addresses in a network whose addresses have the same first 64 bits. */
    private static final int NETWORK_BYTES = 8;

    private final int limit;
    private final int limitPerAddress;
    private final Time time;
    private final Map<Thread, Connection> open = new ConcurrentHashMap<>();
    private boolean isFullLogged;

    Connections(int limit, int limitPerAddress, Time time) {
        this.limit = limit;
        this.limitPerAddress = limitPerAddress;
        this.time = time;
    }

    /**
     * Adds the connection of the calling thread, which begins to wait for its client. Returns false if its address has
     * too many connections. Addresses with IPv6 that have the same first 64 bits count as one address.
     */
    synchronized boolean accept(SocketAddress client, Duration toBegin) {
        ByteBuffer from = network(client);
        long others = open.entrySet().stream()
                .filter(other ->
                        other.getKey().isAlive() && other.getValue().from().equals(from))
                .count();
        if (others >= limitPerAddress) {
            log.debug("refusing a connection from {}, which has {} connections", client, others);
            return false;
        }
        open.put(Thread.currentThread(), new Connection(from, end(toBegin)));
        return true;
    }

    private static ByteBuffer network(SocketAddress client) {
        if (!(client instanceof InetSocketAddress internet)) {
            throw new IllegalArgumentException("expected an internet address, found " + client);
        }
        ByteBuffer address = ByteBuffer.wrap(internet.getAddress().getAddress());
        return internet.getAddress() instanceof Inet6Address ? address.limit(NETWORK_BYTES) : address;
    }

    private long end(Duration limit) {
        return time.nanos() + limit.toNanos();
    }

    /**
     * Records that the calling thread begins to wait for the client of its connection. If the thread does not call
     * {@link #done} within this time, {@link #poll} interrupts the thread.
     */
    void begin(Duration limit) {
        open.computeIfPresent(
                Thread.currentThread(), (thread, connection) -> new Connection(connection.from(), end(limit)));
    }

    void done() {
        open.computeIfPresent(Thread.currentThread(), (thread, connection) -> new Connection(connection.from(), null));
    }

    /** Runs a step that waits for the client. {@link #poll} interrupts a step that takes longer than this time. */
    void within(Duration limit, Runnable wait) {
        begin(limit);
        try {
            wait.run();
        } finally {
            done();
        }
    }

    int size() {
        return (int) open.keySet().stream().filter(Thread::isAlive).count();
    }

    /** Returns why no further connection is accepted; empty while connections are accepted. */
    Optional<String> problem() {
        int now = size();
        return now < limit
                ? Optional.empty()
                : Optional.of("all " + limit + " connections are open; further connections wait");
    }

    /** Interrupts each thread whose wait is too long, and logs once if no further connection is accepted. */
    void poll() {
        open.keySet().removeIf(thread -> !thread.isAlive());
        long now = time.nanos();
        for (Thread thread : open.keySet()) {
            // check and interrupt in one atomic step, so that no thread is interrupted after its wait
            open.computeIfPresent(thread, (late, connection) -> {
                Long until = connection.untilNanos();
                if (until == null || now - until < 0) {
                    return connection;
                }
                late.interrupt();
                return new Connection(connection.from(), null);
            });
        }
        Optional<String> problem = problem();
        problem.filter(full -> !isFullLogged).ifPresent(log::warn);
        isFullLogged = problem.isPresent();
    }
}
