package org.treerename.producer.cli;

import picocli.CommandLine.Command;

/** The command {@code rename ls}: lists the paths directly below a path. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description =
                "Lists the directories and documents that are now directly below a path, and the number of documents"
                        + " below each directory. A decided rename is shown as complete, even while its documents"
                        + " move.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:something was found",
            "1:nothing was found",
            "2:wrong use",
            "3:no answer from Elasticsearch or the gateway, a refused request, or a tree that changes too fast",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class LsCommand extends TreeCommand {

    @Override
    int print(TreePages pages) {
        return print(pages::list, output().list("KIND", "DOCUMENTS", "BELOW", "PATH"), child -> new Object[] {
            child.path("directory").asBoolean() ? "directory" : "document",
            child.path("documents").asLong(),
            child.path("below").asLong(),
            child.path("path").asText()
        });
    }
}
