package org.treerename.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Age;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Held;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.Rename;
import org.treerename.rename.State;

/**
 * Who waits for a lock that refused it, as the journal tells: none that is younger passes it there, in a mode that keeps it
 * out, as long as it waits. Its claim stands there since the refusal; the journal tells of that with the next attempt.
 */
final class Queue {

    /** At the path with which the refusal begins. */
    private record Waiting(Age age, LockSet locks, String refusal) {}

    private final Namespace files;
    private final Map<String, Waiting> waiting = new HashMap<>();

    /** Requests a claim of which somebody has taken away since their last attempt. */
    private final Set<String> robbed = new HashSet<>();

    Queue(Namespace files) {
        this.files = files;
    }

    /** An entry was written. What is given back, or begun anew, has lost its claims. */
    void wrote(@Nullable JournalEntry before, JournalEntry after) {
        boolean isTouched = before != null
                && before.state() == after.state()
                && before.ownership().equals(after.ownership());
        if (isTouched) {
            return;
        }
        boolean isRobbed = robbed.remove(after.requestId());
        if (isRobbed
                || before == null
                || before.state() != State.PREPARED
                || after.state() != State.PREPARED
                || !before.ownership().processId().equals(after.ownership().processId())) {
            waiting.remove(after.requestId());
            return;
        }
        String refusal = after.waiting().refusal();
        if (refusal != null && after.waiting().refusals() > before.waiting().refusals()) {
            Optional<LockSet> locks = Witness.rename(after, files).map(Rename::lockSet);
            locks.ifPresent(set -> waiting.put(after.requestId(), new Waiting(after.age(), set, refusal)));
        }
    }

    /**
     * Notes that a request has lost a claim until its next refusal. A late release removes the claims of a later attempt as well, and
     * another request under the same id replaces a claim by a weaker one.
     */
    void lostClaim(String requestId) {
        robbed.add(requestId);
        waiting.remove(requestId);
    }

    /** Who is passed by a hold that is given; empty if nobody is. */
    Optional<String> passedBy(LockDocument lock, Held given) {
        return waiting.entrySet().stream()
                .filter(one -> !one.getKey().equals(given.hold().requestId()))
                .filter(one -> one.getValue().age().isOlderThan(given.hold().age()))
                .filter(one -> one.getValue().refusal().startsWith(lock.path().text() + " is "))
                .filter(one -> isKeptOut(mode(one.getValue().locks(), lock.path()), given))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What an open set does not list are paths of documents. */
    private static @Nullable LockMode mode(LockSet locks, Path path) {
        return locks.open()
                ? locks.modes().getOrDefault(path, LockMode.EXCLUSIVE)
                : locks.modes().get(path);
    }

    private static boolean isKeptOut(@Nullable LockMode mode, Held given) {
        return mode != null && !given.mode().isCompatibleWith(mode);
    }
}
