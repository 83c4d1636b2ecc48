package org.treerename.journal;

import org.treerename.lock.InMemoryLockStore;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class InMemoryWatermarkTest extends WatermarkContract {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));

    @Override
    protected Watermark watermark() {
        return new InMemoryWatermark(control, ManualTime.startingAt("2026-03-01T10:00:00Z"));
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
