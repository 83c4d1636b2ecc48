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
 * The address under which the other nodes of a cluster know one of them. Bytes pass it in both directions, but not while
 * the node, or the one that opened the connection, is {@linkplain Cut cut off}: then they wait, nothing is closed, and new
 * connections are accepted and stay silent.
 */
final class TransportProxy implements AutoCloseable {

    private static final int CHUNK = 64 * 1024;
    private static final int BACKLOG = 1_000;

    private final ServerSocket door;
    private final String node;
    private final IntSupplier port;
    private final Cut cut;

    private TransportProxy(ServerSocket door, String node, IntSupplier port, Cut cut) {
        this.door = door;
        this.node = node;
        this.port = port;
        this.cut = cut;
    }

    /**
     * Listens at a free port.
     *
     * @param node its name
     * @param port its own port, asked for each connection
     */
    static TransportProxy start(String node, IntSupplier port, Cut cut) throws IOException {
        ServerSocket door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        TransportProxy proxy = new TransportProxy(door, node, port, cut);
        Thread.ofVirtual().name("proxy of " + node).start(proxy::accept);
        return proxy;
    }

    /** The name of the node that it stands before. */
    String node() {
        return node;
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket opener = door.accept();
                Link link = new Link(node, new Ends(opener.getPort(), port()), System.nanoTime());
                Thread.ofVirtual().start(() -> connect(opener, link));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket opener, Link link) {
        cut.await(link);
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        } catch (IOException e) {
            close(opener); // as a node that is not there
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
            // as an end of file: the other side must hear of it, too
        }
        cut.await(link);
        close(from);
        close(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed all the same
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
