package org.treerename.checker;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks point 7 of {@link Checker}: at the end of the run there is no hold, no claim, no open entry and no open point
 * in time. Two kinds of entries are allowed:
 * <ul>
 *   <li>parked entries, with their holds and claims;
 *   <li>entries that were released for a retry (state {@code retry}), if the log has no record of their request. The
 *       log cannot deliver this request again.
 * </ul>
 */
final class Rest {

    private static final int POINT = 7;

    private final Run run;
    private final Findings findings;

    Rest(Run run, Findings findings) {
        this.run = run;
        this.findings = findings;
    }

    void check() {
        JournalDump journal = run.control().journal();
        Set<String> parked = journal.entries().stream()
                .filter(JournalDump.Entry::isParked)
                .map(JournalDump.Entry::requestId)
                .collect(Collectors.toSet());
        Set<String> delivered = run.records().requests().stream()
                .flatMap(request -> request.requestId().stream())
                .collect(Collectors.toSet());
        LockDump locks = run.control().locks();
        LockDump ofOthers = new LockDump(
                locks.holds().stream()
                        .filter(hold -> !parked.contains(hold.requestId()))
                        .toList(),
                locks.claims().stream()
                        .filter(claim -> !parked.contains(claim.requestId()))
                        .toList());
        JournalDump open = new JournalDump(journal.entries().stream()
                .filter(entry -> !entry.isParked())
                .filter(entry -> !entry.state().equals("retry") || delivered.contains(entry.requestId()))
                .toList());
        Leftovers.of(ofOthers, open)
                .found()
                .forEach(words -> findings.add(POINT, "expected nothing left over, found " + words));
        long contexts = run.control().openContexts();
        long allowed = run.control().openContextsOfTheDead();
        if (contexts > allowed) {
            findings.add(
                    POINT,
                    "expected no open point in time"
                            + (allowed == 0 ? "" : " except " + allowed + " of killed processes")
                            + ", found " + contexts);
        }
    }
}
