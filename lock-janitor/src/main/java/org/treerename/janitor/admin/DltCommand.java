package org.treerename.janitor.admin;

import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code rename-admin dlt}, whose subcommands list, show and replay dead letters. */
@Command(
        name = "dlt",
        mixinStandardHelpOptions = true,
        description = {
            "Shows and replays dead letters. A dead letter is a copy of a record in the request topic. Either no"
                    + " outcome can answer the record, or its request failed, and would fail again for the same"
                    + " cause. Dead letters remain in their topic until Kafka deletes them. A replay does not delete"
                    + " them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure",
            "2:wrong use",
            "3:no answer from Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class DltCommand {

    /** Creates the command with its subcommands. */
    static CommandLine with(Time time) {
        return new CommandLine(new DltCommand())
                .addSubcommand(new DltListCommand())
                .addSubcommand(new DltShowCommand())
                .addSubcommand(new DltReplayCommand(time));
    }
}
