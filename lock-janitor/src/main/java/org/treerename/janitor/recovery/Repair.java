package org.treerename.janitor.recovery;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.store.RefusedException;

/**
 * Corrects the findings of an audit. This class uses only operations that janitors use. It takes over renames from
 * processes that are not live. It removes a hold or a claim only after an acknowledged write of the journal entry. This
 * write confirms that the hold or claim is dead. So no active rename loses a lock. The repair may be repeated, and it
 * may run while janitors work. Only one thread calls this class.
 */
public final class Repair {

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    private final Journal journal;
    private final RollForward rollForward;
    private final Sweep sweep;
    private final ProcessCleanup processCleanup;

    public Repair(Journal journal, RollForward rollForward, Sweep sweep, ProcessCleanup processCleanup) {
        this.journal = journal;
        this.rollForward = rollForward;
        this.sweep = sweep;
        this.processCleanup = processCleanup;
    }

    /**
     * Corrects those of the given findings that a janitor can correct. The next audit reports the remaining findings.
     */
    public void mend(List<Finding> findings) {
        if (has(findings, Kind.ENTRY)) {
            journal.in(State.needingOwner()).forEach(this::continueRename);
        }
        // a roll-forward releases all locks of a rename, but a late request may add a lock afterwards; the sweep
        // removes it
        if (has(findings, Kind.ENTRY) || has(findings, Kind.HOLD) || has(findings, Kind.CLAIM)) {
            sweep.sweep();
        }
        if (has(findings, Kind.PROCESS)) {
            processCleanup.deleteOldProcesses();
        }
    }

    private void continueRename(String requestId) {
        try {
            RollForward.Result result = rollForward.ofDead(requestId);
            if (result != RollForward.Result.LEFT_ALONE) {
                log.info("request {}: {}", requestId, inWords(result));
            }
        } catch (RefusedException e) {
            log.error("request {} cannot be taken over: {}; a janitor tries again", requestId, e.getMessage());
        }
    }

    private static String inWords(RollForward.Result result) {
        return switch (result) {
            case LEFT_ALONE -> "not taken over, because its process is live or its journal entry needs no owner";
            case RELEASED -> "taken over and released for a retry";
            case CLOSED -> "taken over and finished";
            case PARKED -> "taken over and parked";
            case LOST -> "not taken over, because another process changed its journal entry first";
        };
    }

    private static boolean has(List<Finding> findings, Kind kind) {
        return findings.stream().anyMatch(finding -> finding.kind() == kind);
    }

    /**
     * Returns the reason why a finding of this kind still exists after a repair, or the necessary action. The report
     * adds this text to the text of the finding.
     */
    public static String why(Kind kind) {
        return switch (kind) {
            case HOLD, CLAIM -> "the next sweep of a janitor removes the hold or claim if it is still dead";
            case ENTRY ->
                "run the audit again later: Elasticsearch refused the take-over, another process takes the request"
                        + " over, or a fenced writer may still write";
            case LOCK ->
                "stop the workers, and find the cause of the missing lock: another rename may move the same documents";
            case PROCESS ->
                "the process document is not old enough for --process-retention, or a journal entry needs it";
            case LOCK_DOCUMENT ->
                "the next rename that locks the path corrects wrong search keys; if two holds exclude each other, stop"
                        + " the workers, because two renames may move the same documents";
            case DOUBLED_PATH ->
                "the owner of the documents must decide which document keeps the path, and delete the other documents"
                        + " or correct their paths";
            case ORPHAN -> "the owner of the document must add the missing directory, or delete or rename the document";
            case INVALID_PATH, NO_PATH -> "the owner of the documents must correct or delete these documents";
            case FIELDS_DISAGREE -> "the next rename of the document corrects the field";
            case FIELDS_UNWRITABLE ->
                "the owner of the document must give the field the type that the namespace defines";
            case PARKED -> "correct the cause that the finding names, then run rename-admin retry-parked";
        };
    }
}
