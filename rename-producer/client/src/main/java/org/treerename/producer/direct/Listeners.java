package org.treerename.producer.direct;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.request.ProgressFeed;
import org.treerename.request.RenameProgress;

/** Calls the listeners of the renames that this process runs now. Any thread may call this class. */
final class Listeners implements ProgressFeed {

    private final Map<String, DirectListener> byRequest = new ConcurrentHashMap<>();

    void add(String requestId, DirectListener listener) {
        byRequest.put(requestId, listener);
    }

    void remove(String requestId) {
        byRequest.remove(requestId);
    }

    @Override
    public void report(RenameProgress progress) {
        call(progress.requestId(), listener -> listener.progressed(progress));
    }

    private void call(String requestId, Consumer<DirectListener> method) {
        DirectListener listener = byRequest.get(requestId);
        if (listener != null) {
            method.accept(listener);
        }
    }

    /**
     * Returns the given journal with one addition: if lock tables refuse an attempt, the journal calls the listener of
     * the rename.
     */
    Journal reporting(Journal journal) {
        return new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public Prepared prepare(Attempt attempt) {
                Prepared prepared = journal.prepare(attempt);
                if (!prepared.refused().isEmpty()) {
                    call(attempt.entry().requestId(), DirectListener::waiting);
                }
                return prepared;
            }
        };
    }
}
