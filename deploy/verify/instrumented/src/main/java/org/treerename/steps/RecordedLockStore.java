package org.treerename.steps;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.steps.Step.Answer;

/** Records every release of holds and claims as a {@link Step}. */
record RecordedLockStore(LockStore locks, Steps steps) implements LockStore {

    @Override
    public void release(LockSet set, Release release) {
        recorded(release, () -> locks.release(set, release));
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        recorded(release, () -> locks.release(tables, release));
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        recorded(release, () -> locks.releaseFromDocuments(namespace, release));
    }

    private void recorded(Release release, Runnable releasing) {
        Step unanswered = step(release, Answer.UNKNOWN);
        steps.report(
                unanswered,
                () -> {
                    releasing.run();
                    return true;
                },
                done -> step(release, Answer.WRITTEN));
    }

    private static Step step(Release release, Answer answer) {
        return Step.of("release", release.claimOf().orElse(""), answer)
                .giving(String.join(" ", release.holdIds()), release.claimOf().isPresent());
    }

    @Override
    public void each(Consumer<LockTable> look) {
        locks.each(look);
    }

    @Override
    public List<String> contradictions() {
        return locks.contradictions();
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        return locks.read(tables);
    }
}
