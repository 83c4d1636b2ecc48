package org.treerename.observe;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.request.ProgressFeed;
import org.treerename.request.RenameProgress;
import org.treerename.runtime.Time;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * Reports the progress of the renames that this process runs. Each report follows an acknowledged write of the journal
 * entry, so a report means that the rename is decided.
 *
 * <ul>
 *   <li>This class reports a rename of at least {@value #MANY} documents as soon as this process has committed it or
 *       taken it over. A smaller rename gets no report at this time, because its outcome arrives about as early as the
 *       report. The outcome contains the time of the decision.
 *   <li>While the documents of a rename move, this class reports the rename at most once per second.
 *   <li>This class reports a parked rename, because its outcome may be published much later. It reports the rename
 *       again if the request is delivered again, because another sender may wait for the outcome.
 * </ul>
 *
 * If the process dies between the commit and the report, the process that takes the rename over reports it.
 */
public final class ProgressJournal implements ForwardingJournal {
    /** The minimum time between two reports of one rename. */
    static final Duration BETWEEN = Duration.ofSeconds(1);

    /**
     * A commit is reported if the rename has at least this number of documents. The outcome of such a rename is
     * published much later than the commit.
     */
    static final int MANY = 1_000;

    /** Reached only if other processes take over renames and this process does not detect the take-overs. */
    private static final int MOST = 10_000;

    private final Journal journal;
    private final ProgressFeed feed;
    private final Time time;

    /** The time of each rename's last report, on the monotonic clock; at first, the time when its move began. */
    private final Map<String, Long> reportedNanos = new ConcurrentHashMap<>();

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
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        WriteResult result = journal.write(step, entry, seen);
        boolean isWritten = result instanceof WriteResult.Written;
        if (isWritten && entry.state() == State.MOVING) {
            moving(entry);
        } else {
            reportedNanos.remove(entry.requestId());
        }
        if (isWritten && entry.state() == State.PARKED && (step == JournalStep.PARK || step == JournalStep.NO_OP)) {
            feed.report(progress(entry));
        }
        return result;
    }

    private static RenameProgress progress(JournalEntry entry) {
        return new RenameProgress(
                entry.requestId(),
                entry.progress().moved(),
                entry.progress().expected(),
                entry.progress().passes(),
                entry.ownership().processId(),
                entry.isRolledForward(),
                entry.decisionTime().orElse(null),
                entry.parking() == null ? null : entry.parking().toString());
    }

    private void moving(JournalEntry entry) {
        long now = time.nanos();
        Long before = reportedNanos.get(entry.requestId());
        if (before == null) {
            if (reportedNanos.size() < MOST) {
                reportedNanos.put(entry.requestId(), now);
                if (entry.progress().expected() >= MANY) {
                    feed.report(progress(entry));
                }
            }
        } else if (now - before >= BETWEEN.toNanos()) {
            reportedNanos.put(entry.requestId(), now);
            feed.report(progress(entry));
        }
    }
}
