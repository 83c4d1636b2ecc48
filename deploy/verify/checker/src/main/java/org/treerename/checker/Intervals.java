package org.treerename.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.treerename.checker.History.Event;

/**
 * Checks points 4 and 9 of {@link Checker}. Point 4: document writes of a rename take effect only in the interval from
 * the commit to the end of the rename. If the lock sets of two renames conflict, the intervals of these renames do not
 * overlap. Point 9: no document write of a fenced process takes effect. Exception: a write of a rename in progress,
 * because the new owner of the rename makes the same write. In a run without a history, the class checks only that the
 * intervals do not overlap, and only if all times come from one clock.
 */
final class Intervals {

    private static final int WITHIN = 4;
    private static final int FENCED = 9;

    private final Run run;
    private final Findings findings;
    private final Map<String, JournalDump.Entry> entries = new HashMap<>();
    private final Map<String, Way> open = new LinkedHashMap<>();
    private final Set<String> fenced = new HashSet<>();

    Intervals(Run run, Findings findings) {
        this.run = run;
        this.findings = findings;
        run.control().journal().entries().forEach(entry -> entries.put(entry.requestId(), entry));
    }

    void check() {
        if (run.history().isKnown()) {
            run.history().events().forEach(this::happens);
        } else if (run.records().oneClock()) {
            byClock();
        }
    }

    private void happens(Event event) {
        switch (event) {
            case Event.Decided decided -> begins(decided.requestId());
            case Event.Ended ended -> open.remove(ended.requestId());
            case Event.Fenced process -> fenced.add(process.processId());
            case Event.Wrote wrote -> written(wrote);
            case Event.Sent none -> {}
            case Event.Answered none -> {}
            case Event.Others none -> {}
            case Event.Forgot none -> {}
        }
    }

    private void begins(String requestId) {
        JournalDump.Entry entry = entries.get(requestId);
        Optional<Way> way = Optional.ofNullable(entry)
                .filter(JournalDump.Entry::isDecidedToMove)
                .flatMap(run::way);
        if (way.isEmpty()) {
            return;
        }
        open.forEach((other, theirs) -> {
            if (theirs.overlaps(way.get())) {
                findings.add(
                        WITHIN,
                        "request " + requestId + " (" + way.get() + ") was decided while request " + other + " ("
                                + theirs + ") had not ended; their locks conflict");
            }
        });
        open.put(requestId, way.get());
    }

    private void written(Event.Wrote wrote) {
        Way way = open.get(wrote.requestId());
        String words = "process " + wrote.processId() + " wrote the document " + wrote.document() + " from "
                + wrote.from() + " to " + wrote.to() + " for request " + wrote.requestId();
        if (way == null) {
            findings.add(WITHIN, words + ", but the request was not committed yet, or had already ended");
        } else if (!fits(way, wrote)) {
            findings.add(WITHIN, words + ", but the request moves " + way);
        }
        if (fenced.contains(wrote.processId()) && (way == null || !fits(way, wrote))) {
            findings.add(
                    FENCED, words + ", but the process was fenced before, and the write is not a move of this request");
        }
    }

    private boolean fits(Way way, Event.Wrote wrote) {
        return wrote.to() == null
                ? Objects.requireNonNull(entries.get(wrote.requestId())).replace()
                        && wrote.from().equals(way.destination().text())
                : way.covers(wrote.from()) && way.image(wrote.from()).equals(wrote.to());
    }

    private void byClock() {
        List<JournalDump.Entry> before = new ArrayList<>();
        for (CompletedRename next :
                run.control().journal().completed(run.namespace().name())) {
            JournalDump.Entry entry = Objects.requireNonNull(entries.get(next.requestId()));
            for (JournalDump.Entry other : before) {
                boolean ended = !Objects.requireNonNull(other.finishedAt()).isAfter(next.committedAt());
                if (!ended && overlap(other, entry)) {
                    findings.add(
                            WITHIN,
                            Replay.words(entry) + " was decided at " + entry.committedAt() + ", before "
                                    + Replay.words(other) + " ended at "
                                    + other.finishedAt() + "; their locks conflict");
                }
            }
            before.add(entry);
        }
    }

    private boolean overlap(JournalDump.Entry one, JournalDump.Entry other) {
        return run.way(one)
                .filter(way -> run.way(other).filter(way::overlaps).isPresent())
                .isPresent();
    }
}
