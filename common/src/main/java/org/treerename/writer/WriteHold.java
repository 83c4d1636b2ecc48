package org.treerename.writer;

import java.util.ArrayList;
import java.util.List;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.WriteTarget;
import org.treerename.store.Versioned;

/**
 * Locks that are held so that somebody may write into directories. Any thread may call it. It is held until it is closed or
 * lost; what is lost stays lost. A lost one is closed, too.
 */
public final class WriteHold implements AutoCloseable {

    private final WriterProcess process;
    private final WriteTarget writeTarget;
    private final Versioned<JournalEntry> entry;
    private final List<Runnable> told = new ArrayList<>();
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

    /** Into which it may be written. */
    public List<String> directories() {
        return writeTarget.directories();
    }

    /** Under which id it stands in the journal and in the locks. */
    public String requestId() {
        return entry.value().requestId();
    }

    /**
     * Whether the locks are held, beyond doubt. It turns false before anybody else can have taken this process for dead, also
     * after a pause of this program. Ask before each write; who pauses between the question and the write can still be late.
     */
    public boolean stillHeld() {
        if (!process.vouches()) {
            lose();
        }
        return isHeld();
    }

    synchronized boolean isHeld() {
        return !lost && !closed;
    }

    /**
     * Is told once, on a thread of its own, if this is lost before it is closed; at once if it is lost already. When it is
     * told, half a lease is left until others can have taken this process for dead, less one twentieth and what the machine
     * withholds from this program: the time in which to stop writing.
     */
    public void onLoss(Runnable callback) {
        boolean late;
        synchronized (this) {
            late = lost;
            if (!lost && !closed) {
                told.add(callback);
            }
        }
        if (late) {
            process.tell(callback);
        }
    }

    void lose() {
        List<Runnable> callbacks;
        synchronized (this) {
            if (lost || closed) {
                return;
            }
            lost = true;
            callbacks = List.copyOf(told);
        }
        process.lost(this);
        callbacks.forEach(process::tell);
    }

    /**
     * Gives the locks back. It waits a few seconds for that at most; what Elasticsearch has not answered by then is given back
     * as soon as it does, or by a janitor when this process has ended.
     */
    @Override
    public void close() {
        if (begunClosing()) {
            process.giveBack(this, WriterProcess.CLOSING);
        }
    }

    /** Whether it is the caller's to give it back. */
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
