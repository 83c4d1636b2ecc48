package org.treerename.janitor.admin;

import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code rename-admin dlt}: what to do with dead letters. */
@Command(
        name = "dlt",
        mixinStandardHelpOptions = true,
        description = {
            "Looks at the dead letters: records of the request topic that no outcome can answer, or that failed for what"
                    + " would fail them again. They stay in their topic as long as Kafka keeps them, replayed or not."
        },
        footer = {"", "Exit codes: 0 well, 1 not well, 2 wrong use, 3 Kafka did not answer."})
final class DltCommand {

    /** With its own commands. */
    static CommandLine with(Time time) {
        return new CommandLine(new DltCommand())
                .addSubcommand(new DltListCommand())
                .addSubcommand(new DltShowCommand())
                .addSubcommand(new DltReplayCommand(time));
    }
}
