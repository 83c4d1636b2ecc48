package org.treerename.rename;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Audit.Finding;
import org.treerename.rename.Audit.Kind;
import org.treerename.store.RefusedException;

/**
 * Mends what an audit has found, by what janitors do, and by nothing else: what is taken over is taken over from a process that is
 * not live, what is removed from a lock table is what no entry bears out, by an acknowledged write of that entry. So a lock of a
 * rename that counts cannot be lost by it. It may be done again, and while janitors do the same. One thread calls it.
 */
public final class Repair {

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    private final Journal journal;
    private final RollForward rollForward;
    private final Sweep sweep;
    private final ProcessCleanup retention;

    public Repair(Journal journal, RollForward rollForward, Sweep sweep, ProcessCleanup retention) {
        this.journal = journal;
        this.rollForward = rollForward;
        this.sweep = sweep;
        this.retention = retention;
    }

    /** Mends what can be mended of these; what could not is found by the next audit. */
    public void mend(List<Finding> findings) {
        if (has(findings, Kind.ENTRY)) {
            journal.in(State.needingOwner()).forEach(this::carryOn);
        }
        // what is given back leaves nothing, but what of it came late is found then
        if (has(findings, Kind.ENTRY) || has(findings, Kind.HOLD) || has(findings, Kind.CLAIM)) {
            sweep.sweep();
        }
        if (has(findings, Kind.PROCESS)) {
            retention.deleteOldProcesses();
        }
    }

    private void carryOn(String requestId) {
        try {
            RollForward.Result result = rollForward.ofDead(requestId);
            if (result != RollForward.Result.LEFT_ALONE) {
                log.info("request {}: {}", requestId, result);
            }
        } catch (RefusedException e) {
            log.error("request {} cannot be carried on: {}", requestId, e.getMessage());
        }
    }

    private static boolean has(List<Finding> findings, Kind kind) {
        return findings.stream().anyMatch(finding -> finding.kind() == kind);
    }

    /** Why a kind of finding is not mended, or not yet, in words that follow its own. */
    public static String why(Kind kind) {
        return switch (kind) {
            case HOLD, CLAIM -> "the next sweep of a janitor removes it, if it stands then";
            case ENTRY -> "its process has not ended, or Elasticsearch keeps it from going on";
            case LOCK ->
                "stop the workers, and find out what removed the lock: another rename may move the same documents";
            case PROCESS -> "it is not old enough for --process-retention, or an entry needs it";
            case LOCK_DOCUMENT ->
                "no program of this project writes such a table; a later acquisition or release corrects its search keys; if its holds exclude each other, stop the workers";
            case DOUBLED_PATH, ORPHAN, INVALID_PATH, NO_PATH ->
                "what is right only the owner of the documents knows: delete or rename one";
            case FIELDS_DISAGREE -> "the next rename of the document corrects it, or the owner of the document does";
            case FIELDS_UNWRITABLE ->
                "the owner of the document corrects it: give the field the type that the namespace defines";
            case PARKED -> "mend what its reason says, then rename-admin resume takes it up again";
        };
    }
}
