package org.treerename.simulation;

import java.time.Duration;
import java.util.function.LongConsumer;
import org.treerename.installation.Installation;
import org.treerename.janitor.Janitor;
import org.treerename.janitor.JanitorSettings;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.JournalCleanup;
import org.treerename.janitor.recovery.OwnWrites;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;

/** Runs janitors with the components that the janitor's {@code Main} creates. */
final class JanitorService extends Service {

    private OwnWrites ownWrites = new OwnWrites();

    JanitorService(World world, String name) {
        super(world, name);
    }

    @Override
    LongConsumer beginning(SimulatedProcess process) {
        ownWrites = new OwnWrites();
        return ownWrites::acknowledged;
    }

    @Override
    void work(SimulatedProcess process) {
        Settings settings = world().settings();
        Stores stores = process.stores().all();
        ProcessStore processes = process.stores().processes();
        JanitorSettings own = new JanitorSettings(
                settings.lease(),
                Installation.DEFAULT.workers(),
                settings.lease().length(),
                settings.lease().length(),
                settings.lease().length(),
                settings.retention(),
                Duration.ofSeconds(6),
                Duration.ZERO);
        DeathWatch watch = new DeathWatch(processes, process.time(), ownWrites, settings.lease());
        new Janitor(
                        new Janitor.Tools(
                                watch,
                                stores.journal(),
                                new RollForward(
                                        stores,
                                        process.stores().watermark(),
                                        processes,
                                        watch.fenced(),
                                        process.context()),
                                new Janitor.Cleanup(
                                        new Sweep(stores, process.context()),
                                        new ProcessCleanup(
                                                stores.journal(), processes, process.time(), own.processRetention()),
                                        new JournalCleanup(
                                                stores.journal(),
                                                process.stores().watermark(),
                                                world().wiring()
                                                        .log(world().log().retained(settings.retention())),
                                                process.context(),
                                                own.journalRetention()))),
                        process.context(),
                        own,
                        task -> world().scheduler().begin(process.actor(), task))
                .run();
    }
}
