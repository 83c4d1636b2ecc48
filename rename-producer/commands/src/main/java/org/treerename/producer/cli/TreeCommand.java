package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.producer.reader.TreeChangedException;
import org.treerename.producer.reader.ViewExpiredException;
import org.treerename.runtime.Printable;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The base class of the commands that read a tree. The output shows the documents of all committed renames as moved.
 */
abstract class TreeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PATH", description = "The path, in the notation of the namespace.")
    private String path = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The namespace of the path (default: ${DEFAULT-VALUE}).")
    private String name = "";

    @Option(
            names = "--limit",
            defaultValue = "1000",
            paramLabel = "N",
            description = "The maximum number of lines to print (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(
            names = "--allow-inconsistent",
            description =
                    "Print an answer and a warning if the tree changes too fast to read one consistent state. Without"
                            + " this option, the command fails in this case.")
    private boolean mayBeInconsistent;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        try (TreePages pages = pages()) {
            int code = print(pages);
            if (!pages.isConsistent()) {
                warn("the tree changes too fast: this answer may mix several states of the tree");
            }
            return code;
        } catch (NoAnswerException | RefusedException | TreeChangedException | ViewExpiredException e) {
            warn(String.valueOf(e.getMessage()));
            return ExitCodes.UNKNOWN;
        }
    }

    private TreePages pages() {
        return server.client("--elasticsearch-url")
                .<TreePages>map(gateway -> new GatewayTreePages(gateway, name, path, mayBeInconsistent))
                .orElseGet(() -> ElasticTreePages.open(
                        elasticsearch.settings(installation.installation()), name, path, mayBeInconsistent));
    }

    /** Prints the answer. Returns the exit code. */
    abstract int print(TreePages pages);

    /** Reads the next page of a list or of a search. */
    interface PageRead {
        TreePages.Page next(int most);
    }

    /**
     * Prints pages until the tree has no further items, or until the limit of the command is reached. Returns the exit
     * code.
     */
    final int print(PageRead read, Output.Rows rows, RowOf rowOf) {
        int printed = 0;
        TreePages.Page page;
        do {
            page = read.next(limit - printed);
            page.items().forEach(item -> rows.add(item, rowOf.cells(item)));
            rows.flush();
            printed += page.items().size();
        } while (!page.isLast() && printed < limit);
        rows.end();
        if (!page.isLast()) {
            warn("the list may be incomplete; a larger --limit shows more");
        }
        if (printed == 0) {
            warn("nothing was found at " + path + " in " + name);
        }
        return printed == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    /** Returns the cells of an item for its row in a table. */
    interface RowOf {
        Object[] cells(ObjectNode item);
    }

    private void warn(String message) {
        spec.commandLine().getErr().println("rename: " + Printable.of(message));
    }

    final Output output() {
        return output;
    }
}
