package org.treerename.rename;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.runtime.Time;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * Reports the progress of the renames that this process moves, always after an acknowledged write of the entry. So a report means that the
 * rename is decided.
 *
 * <ul>
 *   <li>A rename of at least {@value #MANY} documents is reported at once when this process has committed it or taken it over. A smaller one
 *       ends about as soon as a report would arrive, and its outcome says when it was decided.
 *   <li>While documents move, the next report follows after a second at the earliest.
 *   <li>A rename that is parked is reported, because its outcome may be far away.
 * </ul>
 *
 * If we die between the commit and the report, the process that takes the rename over reports it.
 */
public final class ProgressJournal implements ForwardingJournal {

    static final Duration BETWEEN = Duration.ofSeconds(1);

    /** From this number of documents on the outcome follows the commit so late that the commit has a report of its own. */
    static final int MANY = 1_000;

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
        boolean isWritten = result instanceof WriteResult.Written;
        if (isWritten && entry.state() == State.MOVING) {
            moving(entry);
        } else {
            toldNanos.remove(entry.requestId());
        }
        if (isWritten && entry.state() == State.PARKED) {
            feed.tell(entry.told());
        }
        return result;
    }

    private void moving(JournalEntry entry) {
        long now = time.nanos();
        Long before = toldNanos.get(entry.requestId());
        if (before == null) {
            if (toldNanos.size() < MOST) {
                toldNanos.put(entry.requestId(), now);
                if (entry.progress().expected() >= MANY) {
                    feed.tell(entry.told());
                }
            }
        } else if (now - before >= BETWEEN.toNanos()) {
            toldNanos.put(entry.requestId(), now);
            feed.tell(entry.told());
        }
    }
}
