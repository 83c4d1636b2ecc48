package org.treerename.benchmark;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.retry.RetryOneTime;
import org.treerename.benchmark.TreeLocks.Mode;

/** Lock sets of Curator on a separate ZooKeeper: an {@link InterProcessMultiLock} of read locks and write locks. */
final class CuratorLocks implements Locking, AutoCloseable {

    private final CuratorFramework client;

    CuratorLocks(ZooKeeper server) {
        client = CuratorFrameworkFactory.newClient(server.address(), new RetryOneTime(100));
        client.start();
    }

    @Override
    public String name() {
        return "Curator on ZooKeeper";
    }

    @Override
    public void acquireAndRelease(TreeLocks locks, Runnable whileHeld) throws Exception {
        List<InterProcessLock> all = locks.modes().entrySet().stream()
                .map(lock -> lock(lock.getKey(), lock.getValue()))
                .toList();
        InterProcessMultiLock multi = new InterProcessMultiLock(all);
        multi.acquire();
        try {
            whileHeld.run();
        } finally {
            multi.release();
        }
    }

    /**
     * Returns the lock of a path. The nodes of all locks are directly below {@code /locks}, because the node of a lock
     * must not contain the nodes of other locks.
     */
    private InterProcessLock lock(String path, Mode mode) {
        InterProcessReadWriteLock lock = new InterProcessReadWriteLock(client, "/locks/" + path.replace('/', '|'));
        return mode == Mode.SHARED ? lock.readLock() : lock.writeLock();
    }

    @Override
    public void close() {
        client.close();
    }
}
