package org.treerename.producer.writer;

import java.util.ArrayList;
import java.util.List;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.store.Versioned;

/**
 * A hold on the directories into which a program, the holder, writes. The holder has the locks until the hold is closed
 * or lost. A lost hold never becomes valid again, but the holder must still close it. Any thread may call this class.
 */
public final class WriteHold implements AutoCloseable {

    private final WriterProcess process;
    private final WriteTarget writeTarget;
    private final Versioned<JournalEntry> entry;
    private final List<Runnable> lossCallbacks = new ArrayList<>();
    private boolean lost;
    private boolean closed;

    WriteHold(WriterProcess process, WriteTarget writeTarget, Versioned<JournalEntry> entry) {
        this.process = process;
        this.writeTarget = writeTarget;
        this.entry = entry;
    }

    public String namespace() {
        return writeTarget.namespace();
    }

    /** Returns the directories into which the holder may write. */
    public List<String> directories() {
        return writeTarget.directories();
    }

    /** Returns the request id of this hold in the journal and in the lock tables. */
    public String requestId() {
        return entry.value().requestId();
    }

    /**
     * Returns whether the locks are certainly held. The result becomes false before a janitor can fence the process of
     * the holder, even if this process was suspended. The holder must call this method before each write. If the
     * process is suspended between this call and the write, the write may arrive after the locks were released.
     */
    public boolean stillHeld() {
        if (!process.isLeaseCertain()) {
            lose();
        }
        return isHeld();
    }

    synchronized boolean isHeld() {
        return !lost && !closed;
    }

    /**
     * Registers a callback that is called once, on a separate thread, if this hold is lost before it is closed. If the
     * hold is already lost, the callback is called at once. When the callback is called, the holder must stop writing.
     * A janitor can fence the process of the holder half a lease after the hold is lost. The callback may be called one
     * twentieth of a lease after the loss. So the holder has the difference of these times to stop. If the machine
     * suspends the process, the holder has less time.
     */
    public void onLoss(Runnable callback) {
        boolean late;
        synchronized (this) {
            late = lost;
            if (!lost && !closed) {
                lossCallbacks.add(callback);
            }
        }
        if (late) {
            process.report(callback);
        }
    }

    void lose() {
        List<Runnable> callbacks;
        synchronized (this) {
            if (lost || closed) {
                return;
            }
            lost = true;
            callbacks = List.copyOf(lossCallbacks);
        }
        process.lost(this);
        callbacks.forEach(process::report);
    }

    /**
     * Releases the locks. Blocks for a few seconds at most. If Elasticsearch does not answer in this time, this process
     * releases the locks later, as soon as Elasticsearch answers. If the process ends before the release, a janitor
     * releases the locks.
     */
    @Override
    public void close() {
        if (begunClosing()) {
            process.release(this, WriterProcess.CLOSING);
        }
    }

    /**
     * Marks this hold as closed. Returns true if the hold was not closed before. If the result is true, the caller must
     * release the hold.
     */
    synchronized boolean begunClosing() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    Versioned<JournalEntry> entry() {
        return entry;
    }

    @Override
    public String toString() {
        return requestId() + " into " + writeTarget;
    }
}
