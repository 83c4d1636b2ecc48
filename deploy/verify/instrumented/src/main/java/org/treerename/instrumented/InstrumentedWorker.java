package org.treerename.instrumented;

import org.treerename.crash.CrashOptions;
import org.treerename.service.ServiceCommand;
import org.treerename.worker.Main;
import picocli.CommandLine;

/**
 * Runs a worker with crash points, a wall clock that can be wrong, and a log line for each step. In addition to the
 * options of the released worker, accepts {@link CrashOptions} and {@link WallClockOptions}.
 */
public final class InstrumentedWorker {

    private InstrumentedWorker() {}

    public static void main(String[] args) {
        System.exit(ServiceCommand.run(command(), args));
    }

    static CommandLine command() {
        CrashOptions crash = new CrashOptions();
        WallClockOptions clock = new WallClockOptions();
        return ServiceCommand.of(new Main(() -> Instruments.ofWorker(crash.points(), clock.ahead())))
                .addMixin("crash points", crash)
                .addMixin("wall clock", clock);
    }
}
