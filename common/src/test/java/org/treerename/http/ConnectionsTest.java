package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.ManualTime;

class ConnectionsTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ManualTime time = ManualTime.startingAt("2026-08-01T10:00:00Z");
    private final Connections connections = new Connections(4, 2, time);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> others = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        Thread.interrupted();
        end();
    }

    private void end() throws InterruptedException {
        end.countDown();
        for (Thread other : others) {
            other.join();
        }
    }

    private static SocketAddress client(String address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), 1);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Opens a connection in a thread of its own. Returns whether the connection is accepted. */
    private boolean open(String address) {
        CompletableFuture<Boolean> accepted = new CompletableFuture<>();
        others.add(Thread.ofVirtual().start(() -> {
            accepted.complete(connections.accept(client(address), LIMIT));
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        return accepted.join();
    }

    @Test
    void interrupts_a_thread_once_if_its_client_is_too_slow() {
        connections.accept(client("192.0.2.1"), LIMIT);
        time.advance(LIMIT.minusNanos(1));
        connections.poll();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        time.advance(Duration.ofNanos(1));
        connections.poll();
        assertThat(Thread.interrupted()).isTrue();
        connections.poll();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void does_not_interrupt_a_thread_that_finishes_in_time() {
        connections.accept(client("192.0.2.1"), LIMIT);
        connections.within(LIMIT, () -> time.advance(LIMIT.minusNanos(1)));
        time.advance(LIMIT);
        connections.poll();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void limits_the_connections_of_each_address_and_of_each_network_of_ipv6() throws InterruptedException {
        assertThat(open("192.0.2.1")).isTrue();
        assertThat(open("192.0.2.1")).isTrue();
        assertThat(open("192.0.2.1")).isFalse();
        assertThat(open("2001:db8::1")).isTrue();
        assertThat(open("2001:db8::ffff:1")).isTrue();
        assertThat(open("2001:db8::2")).isFalse();
        assertThat(connections.size()).isEqualTo(4);

        end();
        assertThat(connections.accept(client("192.0.2.1"), LIMIT)).isTrue();
        assertThat(connections.size()).isEqualTo(1);
    }

    @Test
    void reports_that_no_further_connection_is_accepted() throws InterruptedException {
        for (String address : List.of("192.0.2.1", "192.0.2.2", "192.0.2.3")) {
            open(address);
        }
        assertThat(connections.problem()).isEmpty();
        open("192.0.2.4");
        assertThat(connections.problem()).contains("all 4 connections are open; further connections wait");

        end();
        assertThat(connections.problem()).isEmpty();
    }
}
