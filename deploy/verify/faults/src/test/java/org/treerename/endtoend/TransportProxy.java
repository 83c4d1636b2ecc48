package org.treerename.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.IntSupplier;
import org.treerename.endtoend.Cut.Link;
import org.treerename.endtoend.OpenSockets.Ends;

/**
 * A proxy in front of one node of a cluster. The other nodes know only the proxy's address. The proxy passes bytes in
 * both directions. While this node, or the node that opened a connection, is {@linkplain Cut cut off}, the proxy delays
 * the bytes of the connection. During the cut, the proxy closes no connection and accepts new connections.
 */
final class TransportProxy implements AutoCloseable {

    private static final int CHUNK = 64 * 1024;
    private static final int BACKLOG = 1_000;

    private final ServerSocket listener;
    private final String node;
    private final IntSupplier port;
    private final Cut cut;

    private TransportProxy(ServerSocket listener, String node, IntSupplier port, Cut cut) {
        this.listener = listener;
        this.node = node;
        this.port = port;
        this.cut = cut;
    }

    /**
     * Starts a proxy that listens on a free port.
     *
     * @param node the name of the node
     * @param port returns the port of the node; the proxy calls this function for each connection
     */
    static TransportProxy start(String node, IntSupplier port, Cut cut) throws IOException {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        TransportProxy proxy = new TransportProxy(listener, node, port, cut);
        Thread.ofVirtual().name("proxy of " + node).start(proxy::accept);
        return proxy;
    }

    /** Returns the name of the node behind this proxy. */
    String node() {
        return node;
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket opener = listener.accept();
                Link link = new Link(node, new Ends(opener.getPort(), port()), System.nanoTime());
                Thread.ofVirtual().start(() -> connect(opener, link));
            } catch (IOException e) {
                return; // the listener is closed
            }
        }
    }

    private void connect(Socket opener, Link link) {
        cut.await(link);
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        } catch (IOException e) {
            close(opener); // the opener sees a closed connection, as if the node did not run
            return;
        }
        Thread.ofVirtual().start(() -> pump(opener, server, link));
        pump(server, opener, link);
    }

    private void pump(Socket from, Socket to, Link link) {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                cut.await(link);
                out.write(chunk, 0, read);
            }
        } catch (IOException e) {
            // a failed connection is treated as an ended connection: both sockets are closed
        }
        cut.await(link);
        close(from);
        close(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // the socket is closed even if the call fails
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
