package org.treerename.janitor.admin;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code rename-admin namespaces}: the definitions that all processes work with. */
@Command(
        name = "namespaces",
        mixinStandardHelpOptions = true,
        description = "Looks at the definitions of namespaces, and puts others there.",
        footer = {"", "Exit codes: 0 well, 1 not well, 2 wrong use, 3 Elasticsearch did not answer."})
final class NamespacesCommand {

    /** With its own commands. */
    static CommandLine withCommands() {
        return new CommandLine(new NamespacesCommand())
                .addSubcommand(new NamespacesShowCommand())
                .addSubcommand(new NamespacesDefineCommand());
    }
}
