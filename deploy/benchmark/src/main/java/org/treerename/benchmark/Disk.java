package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The disk under all servers of a run. Until it has written what was done before, each fsync of another file waits for it, too. */
final class Disk {

    private Disk() {}

    /** Comes back when all that programs have written is on the disk. */
    static void sync() {
        try {
            int code = new ProcessBuilder("sync").inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException("sync ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("sync, of GNU coreutils, cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the disk was written to", e);
        }
    }
}
