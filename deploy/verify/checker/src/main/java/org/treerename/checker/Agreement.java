package org.treerename.checker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.History.Event;

/**
 * Checks a part of point 6 of {@link Checker}: the order of the decisions agrees with real time and with the log.
 * <ul>
 *   <li>If one request was answered before another request was sent, the answered request must be decided first. If the
 *       history of the run is known, the time of an event is its position in the history. Without a history, the class
 *       uses the times of the records, and checks the rule only if these times come from one clock.
 *   <li>If the locks of two requests of one partition conflict, the request with the lower offset must be decided
 *       first. The journal entry of a request stores the offset of the first delivery of the request. The rule does not
 *       apply to failed and cancelled requests, because these requests have no effect.
 * </ul>
 */
final class Agreement {

    private static final int POINT = 6;
    private static final Set<String> WITHOUT_ORDER = Set.of("failed", "cancelled");

    private final Run run;
    private final Findings findings;
    private final List<JournalDump.Entry> decided;

    Agreement(Run run, Findings findings) {
        this.run = run;
        this.findings = findings;
        this.decided = run.control().journal().entries().stream()
                .filter(entry -> entry.decidedSeqNo() != null)
                .sorted(Comparator.comparing(Agreement::number))
                .toList();
    }

    private static long number(JournalDump.Entry entry) {
        return Objects.requireNonNull(entry.decidedSeqNo());
    }

    void check() {
        withRecorded();
        withRealTime();
        withLog();
    }

    /** Checks that the sequence numbers in the entries increase in the order of the decisions in the history. */
    private void withRecorded() {
        Map<String, JournalDump.Entry> byId = new HashMap<>();
        decided.forEach(entry -> byId.put(entry.requestId(), entry));
        JournalDump.@Nullable Entry last = null;
        for (Event event : run.history().events()) {
            JournalDump.Entry entry = event instanceof Event.Decided decision ? byId.get(decision.requestId()) : null;
            if (entry != null) {
                if (last != null && number(entry) < number(last)) {
                    findings.add(
                            POINT,
                            Replay.words(entry) + " was decided after " + Replay.words(last)
                                    + ": expected that the later decision has a sequence number above " + number(last)
                                    + ", found " + number(entry));
                }
                last = entry;
            }
        }
    }

    private void withRealTime() {
        Map<String, Instant> sent = new HashMap<>();
        Map<String, Instant> answered = new HashMap<>();
        if (run.history().isKnown()) {
            moments(sent, answered);
        } else if (run.records().oneClock()) {
            run.records()
                    .requests()
                    .forEach(request -> request.requestId()
                            .ifPresent(id -> sent.merge(id, request.appendedAt(), Agreement::earlier)));
            run.records()
                    .outcomes()
                    .forEach(outcome -> answered.merge(outcome.key(), outcome.publishedAt(), Agreement::earlier));
        }
        // iterate from the last decision to the first; "earliest" is the rename with the earliest answer among the
        // renames that were decided later
        JournalDump.@Nullable Entry earliest = null;
        for (JournalDump.Entry entry : decided.reversed()) {
            Instant begun = sent.get(entry.requestId());
            if (earliest != null
                    && begun != null
                    && Objects.requireNonNull(answered.get(earliest.requestId()))
                            .isBefore(begun)) {
                findings.add(
                        POINT,
                        Replay.words(earliest) + " was answered before " + Replay.words(entry) + " was sent"
                                + wrongOrder(earliest, entry));
            }
            Instant end = answered.get(entry.requestId());
            if (end != null
                    && (earliest == null || end.isBefore(Objects.requireNonNull(answered.get(earliest.requestId()))))) {
                earliest = entry;
            }
        }
    }

    private static String wrongOrder(JournalDump.Entry first, JournalDump.Entry second) {
        return ": expected that the first request is decided first, found write " + number(first)
                + " for the first request and write " + number(second) + " for the second request";
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** The time of an event is its position in the history. */
    private void moments(Map<String, Instant> sent, Map<String, Instant> answered) {
        long moment = 0;
        for (Event event : run.history().events()) {
            moment++;
            Instant now = Instant.ofEpochSecond(moment);
            if (event instanceof Event.Sent first) {
                sent.putIfAbsent(first.requestId(), now);
            } else if (event instanceof Event.Answered first) {
                answered.putIfAbsent(first.requestId(), now);
            }
        }
    }

    private void withLog() {
        Map<Integer, List<JournalDump.Entry>> before = new HashMap<>();
        for (JournalDump.Entry entry : decided) {
            if ((entry.status() != null && WITHOUT_ORDER.contains(entry.status()))
                    || run.way(entry).isEmpty()) {
                continue;
            }
            Way way = run.way(entry).get();
            List<JournalDump.Entry> earlier =
                    before.computeIfAbsent(entry.delivery().partition(), none -> new ArrayList<>());
            for (JournalDump.Entry other : earlier) {
                if (other.delivery().offset() > entry.delivery().offset()
                        && Objects.equals(other.namespace(), entry.namespace())
                        && run.way(other).filter(way::overlaps).isPresent()) {
                    findings.add(
                            POINT,
                            Replay.words(entry) + " is in the request topic at " + entry.delivery() + ", before "
                                    + Replay.words(other) + " at " + other.delivery() + ", and their paths overlap"
                                    + wrongOrder(entry, other));
                }
            }
            earlier.add(entry);
        }
    }
}
