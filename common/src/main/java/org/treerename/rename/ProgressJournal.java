package org.treerename.rename;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.runtime.Time;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * Tells the progress of the renames that this process moves beside the writes that keep it: after an acknowledged one, at
 * most once a second for each. So one that moves for less than a second tells none.
 */
public final class ProgressJournal implements ForwardingJournal {

    static final Duration BETWEEN = Duration.ofSeconds(1);

    /** More are not told of: as many as this never move at once, unless entries are lost to others and not missed here. */
    private static final int MOST = 10_000;

    private final Journal journal;
    private final ProgressFeed feed;
    private final Time time;

    /** When each was told last, or began to move, on the monotonic clock. */
    private final Map<String, Long> toldNanos = new ConcurrentHashMap<>();

    public ProgressJournal(Journal journal, ProgressFeed feed, Time time) {
        this.journal = journal;
        this.feed = feed;
        this.time = time;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        WriteResult result = journal.write(entry, seen);
        if (result instanceof WriteResult.Written && entry.state() == State.MOVING) {
            moving(entry);
        } else {
            toldNanos.remove(entry.requestId());
        }
        return result;
    }

    private void moving(JournalEntry entry) {
        long now = time.nanos();
        Long before = toldNanos.get(entry.requestId());
        if (before == null) {
            if (toldNanos.size() < MOST) {
                toldNanos.put(entry.requestId(), now);
            }
        } else if (now - before >= BETWEEN.toNanos()) {
            toldNanos.put(entry.requestId(), now);
            feed.tell(entry.told());
        }
    }
}
