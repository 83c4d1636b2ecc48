package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The disk that all servers of a run use. While the disk writes earlier data, every fsync must wait. */
final class Disk {

    private Disk() {}

    /** Blocks until the disk contains all written data. */
    static void sync() {
        try {
            int code = new ProcessBuilder("sync").inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException("sync: expected exit code 0, was " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run sync: install GNU coreutils", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for sync", e);
        }
    }
}
