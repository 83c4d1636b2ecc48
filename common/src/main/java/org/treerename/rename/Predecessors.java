package org.treerename.rename;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Asks the journal how far the requests are that others are to come after. One thread calls it. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 *
 * <p>Who has seen that a request has ended begins the next one, and cannot take that back. So a read alone does not tell it:
 * a rejection that nobody acknowledges may be followed by another attempt, which completes. It has ended when a touch of the
 * entry that says so is acknowledged; from then on it stays so.
 */
public final class Predecessors {

    /** How many ended ones are remembered, so that each is touched once. */
    private static final int REMEMBERED = 10_000;

    /** How far a request is. */
    public enum Standing {
        /** A read has shown no entry. */
        MISSING,
        /** It has not ended, or that is not known. */
        OPEN,
        /** A read has shown it parked. */
        PARKED,
        /** A read has shown that it was given back and that nobody carries it. */
        GIVEN_BACK,
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

    /** How far each of them is, by request id. */
    public Map<String, Standing> look(Collection<String> requestIds) {
        Map<String, Standing> standings = new HashMap<>();
        requestIds.forEach(id -> standings.put(id, ended.contains(id) ? Standing.ENDED : Standing.MISSING));
        List<String> asked =
                requestIds.stream().filter(id -> !ended.contains(id)).distinct().toList();
        for (Versioned<JournalEntry> found : journal.read(asked)) {
            standings.put(found.value().requestId(), standing(found));
        }
        return standings;
    }

    private Standing standing(Versioned<JournalEntry> found) {
        return switch (found.value().state()) {
            case PARKED -> Standing.PARKED;
            case RETRY -> Standing.GIVEN_BACK;
            default -> hasEnded(found) ? Standing.ENDED : Standing.OPEN;
        };
    }

    private boolean hasEnded(Versioned<JournalEntry> found) {
        boolean isCertain = found.value().state().isFinal()
                && journal.write(found.value().touched(), found.version()) instanceof WriteResult.Written;
        if (isCertain) {
            ended.add(found.value().requestId());
        }
        return isCertain;
    }

    /** Returns whether it is in this state, by an acknowledged write of its entry. */
    public boolean isForCertain(State state, String requestId) {
        return journal.read(requestId)
                .filter(found -> found.value().state() == state)
                .filter(found -> journal.write(found.value().touched(), found.version()) instanceof WriteResult.Written)
                .isPresent();
    }

    /** Whether there is no entry, which a cut-off node cannot tell. */
    public boolean isMissingForCertain(String requestId) {
        return journal.readForCertain(requestId).isEmpty();
    }
}
