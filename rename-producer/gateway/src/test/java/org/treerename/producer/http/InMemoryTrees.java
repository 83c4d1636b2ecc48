package org.treerename.producer.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.InMemoryJournal;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.namespace.Namespace;
import org.treerename.producer.reader.InMemoryPointsInTime;
import org.treerename.producer.reader.TreeViews;
import org.treerename.runtime.Time;
import org.treerename.store.InMemoryControlIndex;

/** The namespace {@code files} in memory, without open renames. */
final class InMemoryTrees implements Trees {

    final InMemoryPointsInTime points = new InMemoryPointsInTime();
    volatile @Nullable RuntimeException failure;
    private final TreeViews views;

    InMemoryTrees(Time time) {
        InMemoryControlIndex control = new InMemoryControlIndex();
        InMemoryLockStore locks = new InMemoryLockStore(control);
        views = new TreeViews(locks, new InMemoryJournal(control, locks), points, time);
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return name.equals("files") ? Optional.of(Namespace.ofFiles("files", "files")) : Optional.empty();
    }

    @Override
    public TreeViews views() {
        return views;
    }
}
