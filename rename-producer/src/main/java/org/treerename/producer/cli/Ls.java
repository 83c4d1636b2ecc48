package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticTreeListing;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.TreeListing;
import org.treerename.overview.TreeListing.Child;
import org.treerename.path.Namespace;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Table;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rename ls}: what stands directly below a path. */
@Command(
        name = "ls",
        description =
                "Lists what stands directly below a path, as it is now: directories and documents, and how many documents"
                        + " stand below each.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:well",
            "1:nothing stands there",
            "2:wrong use",
            "3:Elasticsearch does not answer, or refuses",
            "70:a defect of this program"
        })
final class Ls implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PATH", description = "The path, in the notation of the namespace.")
    private String path = "";

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The tree (default: ${DEFAULT-VALUE}).")
    private String name = "";

    @Option(
            names = "--limit",
            defaultValue = "1000",
            paramLabel = "N",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "Print one JSON object per child and line.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this and exit.")
    boolean help;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit is at least 1, found " + limit);
        }
        try (Elastic elastic = Elastic.connect(elasticsearch.settings())) {
            Namespace namespace = new ElasticNamespaces(elastic, new ControlIndex(elastic))
                    .find(name)
                    .orElseThrow(() -> new IllegalArgumentException("there is no namespace " + name));
            return list(new ElasticTreeListing(elastic), namespace);
        } catch (NoAnswerException | RefusedException e) {
            spec.commandLine().getErr().println("rename: " + Printable.of(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    private int list(TreeListing listing, Namespace namespace) {
        PrintWriter out = spec.commandLine().getOut();
        Table table = new Table("KIND", "DOCUMENTS", "BELOW", "PATH");
        String after = null;
        int told = 0;
        do {
            TreeListing.Page page = listing.below(
                    namespace,
                    namespace.notation().path(path),
                    after,
                    Math.min(limit - told, TreeListing.LARGEST_PAGE));
            page.children().forEach(child -> tell(child, table, out));
            table.printTo(out);
            told += page.children().size();
            after = page.next();
        } while (after != null && told < limit);
        if (after != null) {
            spec.commandLine().getErr().println("rename: there may be more; --limit shows them");
        }
        return told == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    private void tell(Child child, Table table, PrintWriter out) {
        if (json) {
            out.println(OverviewJson.line(OverviewJson.of(child)));
        } else {
            table.row(child.directory() ? "directory" : "document", child.documents(), child.below(), child.path());
        }
    }
}
