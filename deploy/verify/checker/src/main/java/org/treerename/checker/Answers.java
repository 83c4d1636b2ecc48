package org.treerename.checker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.treerename.checker.History.Event;

/**
 * Checks point 5 of {@link Checker}: a request takes effect at most once, even if several records have its id. A
 * request has one outcome; all records of this outcome contain the same bytes. Every record in the request topic has a
 * journal entry or a dead letter. If the history is known, the class also checks that no document is moved twice for
 * one request.
 */
final class Answers {

    private static final int POINT = 5;

    private final Run run;
    private final Findings findings;
    private final Map<String, JournalDump.Entry> entries = new HashMap<>();

    Answers(Run run, Findings findings) {
        this.run = run;
        this.findings = findings;
        run.control().journal().entries().forEach(entry -> entries.put(entry.requestId(), entry));
    }

    void check() {
        outcomes();
        requests();
        effects();
    }

    private void outcomes() {
        Map<String, Set<String>> published = new TreeMap<>();
        run.records()
                .outcomes()
                .forEach(outcome -> published
                        .computeIfAbsent(outcome.key(), none -> new LinkedHashSet<>())
                        .add(outcome.value()));
        published.forEach((requestId, texts) -> {
            JournalDump.Entry entry = entries.get(requestId);
            if (texts.size() > 1) {
                findings.add(POINT, "expected one outcome of request " + requestId + ", found " + texts);
            } else if (entry == null) {
                findings.add(POINT, "request " + requestId + " has an outcome but no journal entry: " + texts);
            } else if (!texts.contains(entry.outcome())) {
                findings.add(
                        POINT,
                        "request " + requestId + ": expected the published outcome to be the outcome in the journal"
                                + " entry, " + entry.outcome() + ", found " + texts);
            }
        });
        entries.forEach((requestId, entry) -> {
            if (entry.isClosed() && !entry.isOfWriter() && !published.containsKey(requestId)) {
                findings.add(POINT, Replay.words(entry) + " is closed, but no outcome was published");
            }
        });
    }

    private void requests() {
        Set<JournalDump.Delivery> dead = run.records().deadLetters().stream()
                .map(Records.DeadLetter::place)
                .collect(Collectors.toSet());
        for (Records.Request request : run.records().requests()) {
            Optional<String> id = request.requestId();
            if (!dead.contains(request.place())
                    && id.filter(entries::containsKey).isEmpty()) {
                findings.add(
                        POINT,
                        "the record at " + request.place() + " has neither a journal entry nor a dead letter"
                                + id.map(text -> ": request " + text).orElse(""));
            }
        }
    }

    private void effects() {
        Set<String> decided = new HashSet<>();
        Map<String, Set<String>> written = new HashMap<>();
        for (Event event : run.history().events()) {
            switch (event) {
                case Event.Decided decision -> {
                    if (!decided.add(decision.requestId())) {
                        findings.add(POINT, "request " + decision.requestId() + " was decided twice");
                    }
                }
                case Event.Wrote wrote -> {
                    if (!written.computeIfAbsent(wrote.document(), none -> new HashSet<>())
                            .add(wrote.requestId())) {
                        findings.add(
                                POINT,
                                "the document " + wrote.document() + " was moved twice for request " + wrote.requestId()
                                        + ", the second time from " + wrote.from() + " to " + wrote.to());
                    }
                }
                case Event.Others others -> written.remove(others.document());
                case Event.Forgot forgot -> written.remove(forgot.document());
                case Event.Sent none -> {}
                case Event.Answered none -> {}
                case Event.Ended none -> {}
                case Event.Fenced none -> {}
            }
        }
    }
}
