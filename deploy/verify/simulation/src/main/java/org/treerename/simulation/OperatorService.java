package org.treerename.simulation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.recovery.FencedProcesses;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.Repair;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.journal.State;
import org.treerename.rename.Stores;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/**
 * An operator that retries parked renames and repairs the findings of an audit. Each command is a separate process,
 * which ends after the command.
 */
final class OperatorService extends Service {

    private static final Duration PROCESS_RETENTION = Duration.ofDays(1);
    private static final double AUDITS = 0.3;
    private static final long IDLE_NANOS = 200_000_000;
    private static final long LONGEST_REST_NANOS = 300_000_000;

    private final Chance chance;
    private final long untilNanos;

    /**
     * @param chance a separate source of random values, so that this class does not change the random values of other
     *     classes
     * @param untilNanos the time after which the operator does nothing
     */
    OperatorService(World world, Chance chance, String name, long untilNanos) {
        super(world, name);
        this.chance = chance;
        this.untilNanos = untilNanos;
    }

    @Override
    LongConsumer beginning(SimulatedProcess process) {
        return sentNanos -> {};
    }

    @Override
    void work(SimulatedProcess process) {
        if (world().scheduler().nowNanos() < untilNanos) {
            command(process);
        } else {
            idle(process);
        }
    }

    /** For a process that starts too late to run a command. It owns no entry. */
    private void idle(SimulatedProcess process) {
        while (!process.context().stop().isRequested()) {
            world().scheduler().pause(IDLE_NANOS);
        }
    }

    private void command(SimulatedProcess process) {
        Stores stores = process.stores().all();
        RollForward rollForward = new RollForward(
                stores,
                process.stores().watermark(),
                process.stores().processes(),
                new FencedProcesses(process.time(), world().settings().lease()),
                process.context());
        Repair repair = new Repair(
                stores.journal(),
                rollForward,
                new Sweep(stores, process.context()),
                new ProcessCleanup(stores.journal(), process.stores().processes(), process.time(), PROCESS_RETENTION));
        Auditor auditor = new Auditor(
                LockBooks.of(stores.namespaces(), stores.journal(), stores.locks()),
                process.stores().processes(),
                process.time(),
                PROCESS_RETENTION);
        world().scheduler().pause(chance.between(0, LONGEST_REST_NANOS));
        try {
            resume(process, rollForward);
            if (chance.happens(AUDITS)) {
                repair(process, auditor.audit(), repair);
            }
        } catch (NoAnswerException e) {
            world().stage().report(process.actor().name(), e::getMessage);
        }
    }

    private void resume(SimulatedProcess process, RollForward rollForward) {
        List<String> parked = world().cluster().control(JournalEntry.class).stream()
                .filter(entry -> entry.state() == State.PARKED)
                .map(JournalEntry::requestId)
                .toList();
        if (!parked.isEmpty()) {
            String requestId = chance.of(parked);
            world().stage()
                    .happened(Happening.RESUMED, process.actor().name(), () -> "retries the parked " + requestId);
            RollForward.Result result = rollForward.ofParked(requestId);
            world().stage().report(process.actor().name(), () -> requestId + ": " + result);
        }
    }

    private void repair(SimulatedProcess process, List<Finding> findings, Repair repair) {
        if (findings.stream().anyMatch(finding -> finding.kind().isLeak())) {
            world().stage().happened(Happening.REPAIRED, process.actor().name(), () -> "repairs " + findings);
            repair.mend(findings);
        }
    }
}
