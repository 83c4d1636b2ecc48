package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock on a file, so that only one local stack at a time uses a folder. The kernel releases the lock when the process
 * that holds the lock ends or is killed. The file contains the id of the last process that acquired the lock.
 */
record UpLock(FileChannel channel) implements AutoCloseable {

    /**
     * Acquires the lock.
     *
     * @throws IllegalStateException if another local stack is running or starting
     */
    static UpLock take(Path folder) {
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve("up.lock");
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new IllegalStateException("a local stack is already running or starting (pid "
                        + Files.readString(file).strip() + "); stop it with deploy/run/down");
            }
            byte[] pid = String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid));
            return new UpLock(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + folder, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release the lock of the local stack", e);
        }
    }
}
