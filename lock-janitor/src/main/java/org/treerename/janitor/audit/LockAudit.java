package org.treerename.janitor.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;

/**
 * Finds dead holds, dead claims and holds that exclude each other in one lock table. The result depends only on the
 * arguments.
 */
final class LockAudit {

    private final Map<String, JournalEntry> entries;
    private final List<Finding> findings = new ArrayList<>();

    private LockAudit(Map<String, JournalEntry> entries) {
        this.entries = entries;
    }

    /** @param entries the entries that the table names, by request id */
    static List<Finding> of(LockTable table, Map<String, JournalEntry> entries) {
        LockAudit audit = new LockAudit(entries);
        audit.check(table);
        return audit.findings;
    }

    private void found(Kind kind, String text, String key) {
        findings.add(new Finding(kind, text, key));
    }

    private void check(LockTable table) {
        String namespace = table.id().namespace();
        for (Held held : table.holds().values()) {
            Hold hold = held.hold();
            whyHoldIsDead(hold)
                    .ifPresent(why -> held.paths()
                            .forEach((path, mode) -> found(
                                    Kind.HOLD,
                                    path + " in " + namespace + " is held " + how(mode) + " under hold id "
                                            + hold.holdId()
                                            + " by request " + hold.requestId() + " of process " + hold.processId()
                                            + "; "
                                            + why,
                                    namespace + " " + path + " " + hold.requestId())));
        }
        checkConflicts(table);
        for (Claim claim : table.claims().values()) {
            String requestId = claim.age().requestId();
            whyClaimIsDead(requestId)
                    .ifPresent(why -> claim.paths()
                            .forEach((path, mode) -> found(
                                    Kind.CLAIM,
                                    path + " in " + namespace + " is claimed " + how(mode) + " by request " + requestId
                                            + "; " + why,
                                    namespace + " " + path + " " + requestId)));
        }
    }

    /** Two holds of one request do not conflict, because a new attempt removes the holds of earlier attempts. */
    private void checkConflicts(LockTable table) {
        List<Held> holds = List.copyOf(table.holds().values());
        for (int i = 0; i < holds.size(); i++) {
            for (Held other : holds.subList(i + 1, holds.size())) {
                if (!holds.get(i).hold().requestId().equals(other.hold().requestId())) {
                    checkConflicts(table.id(), holds.get(i), other);
                }
            }
        }
    }

    private void checkConflicts(LockTable.Id table, Held one, Held other) {
        one.paths()
                .forEach((path, mode) -> other.paths().forEach((otherPath, otherMode) -> {
                    if (LockTable.conflict(path, mode, otherPath, otherMode)) {
                        findings.add(new Finding(
                                Kind.LOCK_DOCUMENT,
                                table + ": " + path + " is held " + how(mode) + " by request "
                                        + one.hold().requestId() + " and " + otherPath + " " + how(otherMode)
                                        + " by request "
                                        + other.hold().requestId()));
                    }
                }));
    }

    static String how(LockMode mode) {
        return mode == LockMode.EXCLUSIVE ? "exclusively" : "in shared mode";
    }

    private Optional<JournalEntry> entry(String requestId) {
        return Optional.ofNullable(entries.get(requestId));
    }

    private Optional<String> whyHoldIsDead(Hold hold) {
        Optional<JournalEntry> entry = entry(hold.requestId());
        if (entry.isEmpty()) {
            return Optional.of("this request has no journal entry");
        }
        if (!entry.get().state().mayHold()) {
            return Optional.of(
                    "the journal entry of this request is " + entry.get().state());
        }
        String countingHoldId = entry.get().ownership().holdId();
        return hold.holdId().equals(countingHoldId)
                ? Optional.empty()
                : Optional.of(
                        "the journal entry of this request is " + entry.get().state()
                                + (countingHoldId == null ? " without a hold id" : " with hold id " + countingHoldId));
    }

    private Optional<String> whyClaimIsDead(String requestId) {
        Optional<JournalEntry> entry = entry(requestId);
        if (entry.isEmpty()) {
            return Optional.of("this request has no journal entry");
        }
        return entry.get().mayClaim()
                ? Optional.empty()
                : Optional.of(
                        "the journal entry of this request is " + entry.get().state());
    }
}
