package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the connections of some clients to a server. A test can make the server disappear or hang for these clients.
 * Other clients still reach the server.
 */
final class Forwarder implements AutoCloseable {

    private enum State {
        OPEN,
        /** Each connection is closed, and new connections are closed at once. */
        GONE,
        /** No byte passes, and no connection is closed. */
        HANGING
    }

    private static final int BACKLOG = 100;
    private static final int CHUNK = 16 * 1024;

    private final URI server;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private State state = State.OPEN;

    private Forwarder(URI server, ServerSocket listener) {
        this.server = server;
        this.listener = listener;
    }

    static Forwarder to(String url) {
        try {
            Forwarder forwarder =
                    new Forwarder(URI.create(url), new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("forwarder").start(forwarder::accept);
            return forwarder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the URL at which clients reach the server through this forwarder. */
    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    void disappear() {
        set(State.GONE);
    }

    void hang() {
        set(State.HANGING);
    }

    void open() {
        set(State.OPEN);
    }

    private synchronized void set(State next) {
        state = next;
        if (next == State.GONE) {
            sockets.forEach(Forwarder::end);
        }
        notifyAll();
    }

    /** Blocks while the state is HANGING. Returns whether the state is OPEN after the wait. */
    private synchronized boolean mayPass() throws InterruptedException {
        while (state == State.HANGING) {
            wait();
        }
        return state == State.OPEN;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                // the server socket is closed
                return;
            }
        }
    }

    private void connect(Socket client) {
        Socket other = null;
        try {
            if (mayPass()) {
                other = new Socket(server.getHost(), server.getPort());
                sockets.add(other);
                Socket to = other;
                Thread.ofVirtual().start(() -> copy(client, to));
                copy(to, client);
            }
        } catch (IOException | InterruptedException e) {
            // the client sees that its connection is closed
        } finally {
            end(client);
            end(other);
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int length = from.getInputStream().read(chunk);
                    length > 0 && mayPass();
                    length = from.getInputStream().read(chunk)) {
                to.getOutputStream().write(chunk, 0, length);
            }
        } catch (IOException | InterruptedException e) {
            // one end closed the connection, so the other end is closed as well
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        disappear();
    }
}
