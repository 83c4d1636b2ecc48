package org.treerename.steps;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;
import org.treerename.steps.Step.Answer;

/** Tells every release. */
record RecordedLockStore(LockStore locks, Steps steps) implements LockStore {

    @Override
    public void release(LockSet set, Release release) {
        Step unanswered = step(release, Answer.UNKNOWN);
        steps.tell(
                unanswered,
                () -> {
                    locks.release(set, release);
                    return true;
                },
                done -> step(release, Answer.WRITTEN));
    }

    private static Step step(Release release, Answer answer) {
        return Step.of("release", release.claimOf().orElse(""), answer)
                .giving(String.join(" ", release.holdIds()), release.claimOf().isPresent());
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        locks.each(look);
    }

    @Override
    public List<String> contradictions() {
        return locks.contradictions();
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return locks.read(namespace, path);
    }
}
