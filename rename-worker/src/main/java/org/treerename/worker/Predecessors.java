package org.treerename.worker;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Reads the states of predecessors from the journal. A predecessor is a request on which other requests depend. Only
 * one thread calls this class. Each call may throw {@link org.treerename.store.NoAnswerException}.
 *
 * <p>A dependent request begins when its predecessor has ended, and the beginning cannot be undone. A read alone does
 * not prove that a predecessor has ended. For example, a read may show a rejection that is never acknowledged, and
 * another attempt may still complete the rename. So this class treats a request as ended only after an acknowledged
 * no-op write of its final entry. After this write the entry remains final.
 */
public final class Predecessors {

    /** The maximum number of ended requests that this class remembers. It does not confirm their ends again. */
    private static final int REMEMBERED = 10_000;

    /** The state of a request. */
    public enum Progress {
        /** A read has shown no entry. */
        MISSING,
        /** The request has not ended, or its end is not confirmed. */
        OPEN,
        /** A read has shown that the request is parked. */
        PARKED,
        /** A read has shown that the request was released for a retry and that no worker is processing it. */
        RELEASED,
        /** An acknowledged write has confirmed that the request has ended. */
        ENDED
    }

    private final Journal journal;
    private final Set<String> ended = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    public Predecessors(Journal journal) {
        this.journal = journal;
    }

    /** Returns the state of each request, by request id. */
    public Map<String, Progress> read(Collection<String> requestIds) {
        Map<String, Progress> progress = new HashMap<>();
        requestIds.forEach(id -> progress.put(id, ended.contains(id) ? Progress.ENDED : Progress.MISSING));
        List<String> unknown =
                requestIds.stream().filter(id -> !ended.contains(id)).distinct().toList();
        for (Versioned<JournalEntry> found : journal.read(unknown)) {
            progress.put(found.value().requestId(), progressOf(found));
        }
        return progress;
    }

    private Progress progressOf(Versioned<JournalEntry> found) {
        return switch (found.value().state()) {
            case PARKED -> Progress.PARKED;
            case RETRY -> Progress.RELEASED;
            default -> hasEnded(found) ? Progress.ENDED : Progress.OPEN;
        };
    }

    private boolean hasEnded(Versioned<JournalEntry> found) {
        boolean isConfirmed = found.value().state().isFinal()
                && journal.write(JournalStep.NO_OP, found.value().withNoOp(), found.version())
                        instanceof WriteResult.Written;
        if (isConfirmed) {
            ended.add(found.value().requestId());
        }
        return isConfirmed;
    }

    /** Returns whether the request is in this state, and an acknowledged write of its entry confirms this state. */
    public boolean isForCertain(State state, String requestId) {
        return journal.read(requestId)
                .filter(found -> found.value().state() == state)
                .filter(found -> journal.write(JournalStep.NO_OP, found.value().withNoOp(), found.version())
                        instanceof WriteResult.Written)
                .isPresent();
    }

    /**
     * Returns whether the request certainly has no entry. A plain read is not enough, because the node that answers may
     * be cut off from its cluster.
     */
    public boolean isMissingForCertain(String requestId) {
        return journal.readForCertain(requestId).isEmpty();
    }
}
