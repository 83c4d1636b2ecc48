package org.treerename.janitor.admin;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code rename-admin namespaces}, whose subcommands show and store definitions of namespaces. */
@Command(
        name = "namespaces",
        mixinStandardHelpOptions = true,
        description = "Shows and stores definitions of namespaces.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class NamespacesCommand {

    /** Creates the command with its subcommands. */
    static CommandLine withCommands() {
        return new CommandLine(new NamespacesCommand())
                .addSubcommand(new NamespacesShowCommand())
                .addSubcommand(new NamespacesDefineCommand());
    }
}
