package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of {@link TransportProxy} with an echo server instead of a node. */
class TransportProxyTest {

    private static final int SILENCE_MILLIS = 200;
    private static final int PATIENCE_MILLIS = 10_000;

    private final Cut cut = new Cut();
    private final ServerSocket echo = listening();
    private final TransportProxy proxy = proxy();
    private final Process processWithoutConnections = processWithoutConnections();

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private TransportProxy proxy() {
        try {
            return TransportProxy.start("echo", echo::getLocalPort, cut);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a process that has no network connection. */
    private static Process processWithoutConnections() {
        try {
            return new ProcessBuilder("sleep", "60").start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void answer() {
        Thread.ofVirtual().start(() -> {
            while (true) {
                try {
                    Socket socket = echo.accept();
                    Thread.ofVirtual().start(() -> echo(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // the connection is closed
        }
    }

    @AfterEach
    void stop() throws IOException {
        cut.heal();
        proxy.close();
        echo.close();
        processWithoutConnections.destroyForcibly();
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void assertPasses(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        assertThat(socket.getInputStream().read()).isEqualTo(value);
    }

    private void assertSilentUntilHealed(Socket socket) throws IOException {
        socket.getOutputStream().write(7);
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        cut.heal();
        socket.setSoTimeout(PATIENCE_MILLIS);
        assertThat(socket.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void bytes_pass_in_both_directions() throws IOException {
        try (Socket socket = open()) {
            assertPasses(socket, 1);
            assertPasses(socket, 2);
        }
    }

    @Test
    void bytes_to_the_cut_off_node_wait_until_the_cut_is_healed() throws IOException {
        try (Socket socket = open()) {
            assertPasses(socket, 1);
            cut.off("echo", processWithoutConnections.pid());
            assertSilentUntilHealed(socket);
        }
    }

    @Test
    void bytes_on_connections_that_the_cut_off_node_opened_wait_until_the_cut_is_healed() throws IOException {
        try (Socket socket = open()) {
            assertPasses(socket, 1);
            cut.off("another", ProcessHandle.current().pid());
            assertSilentUntilHealed(socket);
        }
    }

    @Test
    void bytes_on_a_connection_that_is_opened_during_the_cut_wait_as_well() throws IOException {
        cut.off("another", ProcessHandle.current().pid());
        try (Socket socket = open()) {
            assertSilentUntilHealed(socket);
        }
    }

    @Test
    void bytes_between_other_nodes_pass() throws IOException {
        cut.off("another", processWithoutConnections.pid());
        try (Socket socket = open()) {
            assertPasses(socket, 1);
        }
    }

    @Test
    void the_end_of_a_connection_waits_until_the_cut_is_healed() throws IOException {
        try (Socket socket = open()) {
            assertPasses(socket, 1);
            cut.off("echo", processWithoutConnections.pid());
            socket.shutdownOutput();
            socket.setSoTimeout(SILENCE_MILLIS);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            cut.heal();
            socket.setSoTimeout(PATIENCE_MILLIS);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }
}
