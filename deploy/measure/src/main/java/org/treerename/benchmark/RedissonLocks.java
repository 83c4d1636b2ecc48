package org.treerename.benchmark;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.treerename.benchmark.TreeLocks.Mode;

/** Lock sets of Redisson on a separate Redis. A lock set is a multi-lock of read locks and write locks. */
final class RedissonLocks implements Locking, AutoCloseable {

    private final RedissonClient client;

    RedissonLocks(Redis server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.address());
        client = Redisson.create(config);
    }

    @Override
    public String name() {
        return "Redisson on Redis";
    }

    @Override
    public void acquireAndRelease(TreeLocks locks, Runnable whileHeld) {
        RLock multi = client.getMultiLock(locks.modes().entrySet().stream()
                .map(lock -> lock(lock.getKey(), lock.getValue()))
                .toArray(RLock[]::new));
        multi.lock();
        try {
            whileHeld.run();
        } finally {
            multi.unlock();
        }
    }

    private RLock lock(String path, Mode mode) {
        RReadWriteLock lock = client.getReadWriteLock("lock:" + path);
        return mode == Mode.SHARED ? lock.readLock() : lock.writeLock();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
