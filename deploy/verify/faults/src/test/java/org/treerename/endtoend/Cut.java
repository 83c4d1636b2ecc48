package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.treerename.endtoend.OpenSockets.Ends;

/**
 * The network cut between one node of a cluster and the other nodes. Bytes from and to the cut-off node wait until the
 * cut is healed, as if the network dropped the packets and TCP sent them again. No connection is closed. Any thread may
 * call this class.
 */
final class Cut {

    /**
     * A connection to a node through its proxy.
     *
     * @param target the node's name
     * @param ends the ports of the connection, as seen by the process that opened the connection
     */
    record Link(String target, Ends ends, long openedNanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private @Nullable String node;
    private @Nullable String spared;
    private long pid;
    private OpenSockets sockets = new OpenSockets(Set.of());
    private long readNanos;

    /**
     * Cuts a node off.
     *
     * @param pid the node's process id, which identifies the connections that the node opened
     */
    void off(String name, long pid) {
        off(name, pid, null);
    }

    /**
     * Cuts a node off from all others except one. The cut-off node still reaches the spared node over the connections
     * that the cut-off node opened.
     *
     * @param spared the name of the node that is still reached, or null
     */
    void off(String name, long pid, @Nullable String spared) {
        lock.lock();
        try {
            this.pid = pid;
            readSockets();
            this.spared = spared;
            node = name;
        } finally {
            lock.unlock();
        }
    }

    void heal() {
        lock.lock();
        try {
            node = null;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks while the cut affects this connection. */
    void await(Link link) {
        lock.lock();
        try {
            while (node != null
                    && (link.target().equals(node) || (!link.target().equals(spared) && isOpenedByNode(link)))) {
                healed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpenedByNode(Link link) {
        if (link.openedNanos() - readNanos > 0) {
            readSockets();
        }
        return sockets.ends().contains(link.ends());
    }

    private void readSockets() {
        readNanos = System.nanoTime();
        try {
            sockets = OpenSockets.of(pid);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the open connections of the process " + pid, e);
        }
    }
}
