package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.treerename.endtoend.OpenSockets.Ends;

/**
 * Which node of a cluster the others do not hear and who does not hear them: what goes to it or comes from it waits, as
 * packets do that are dropped and sent again. Nobody is told. Any thread may call it.
 */
final class Cut {

    /**
     * A connection to a node through its proxy.
     *
     * @param target the node's name
     * @param ends as its opener sees them
     */
    record Link(String target, Ends ends, long openedNanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private @Nullable String node;
    private @Nullable String spared;
    private long pid;
    private OpenSockets sockets = new OpenSockets(Set.of());
    private long lookedNanos;

    /**
     * Cuts a node off.
     *
     * @param pid its process, by which the connections that it opened are known
     */
    void off(String name, long pid) {
        off(name, pid, null);
    }

    /**
     * Cuts a node off from all others but one, to which it still speaks over the connections that it opened itself.
     *
     * @param but null for none
     */
    void off(String name, long pid, @Nullable String but) {
        lock.lock();
        try {
            this.pid = pid;
            look();
            spared = but;
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

    /** Comes back when bytes may pass. */
    void await(Link link) {
        lock.lock();
        try {
            while (node != null
                    && (link.target().equals(node) || (!link.target().equals(spared) && isOpenedByIt(link)))) {
                healed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpenedByIt(Link link) {
        if (link.openedNanos() - lookedNanos > 0) {
            look();
        }
        return sockets.ends().contains(link.ends());
    }

    private void look() {
        lookedNanos = System.nanoTime();
        try {
            sockets = OpenSockets.of(pid);
        } catch (IOException e) {
            throw new UncheckedIOException("whose connections are whose is not known", e);
        }
    }
}
