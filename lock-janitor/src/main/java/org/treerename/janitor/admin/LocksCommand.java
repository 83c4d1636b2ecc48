package org.treerename.janitor.admin;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.namespace.Namespaces;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.overview.LockedPath;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin locks}: lists holds and claims. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the holds and claims of paths, each with its request, its process, and the time of the request."
                    + " With PATH, the command lists only PATH and the paths above and below it.",
            "A hold or claim counts if it can still block another request. If a hold or claim does not count, its"
                    + " request has ended or waits for its next delivery. The next sweep of a janitor removes this"
                    + " hold or claim."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class LocksCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "PATH", description = "A path in the namespace.")
    private @Nullable String path;

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The namespace (default: all namespaces). PATH requires this option.")
    private @Nullable String namespace;

    @Option(
            names = "--limit",
            defaultValue = "1000",
            paramLabel = "N",
            description = "The maximum number of paths to print (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        Output.Rows rows =
                output.list("NAMESPACE", "PATH", "LOCK", "REQUEST", "STATE", "REQUESTED", "PROCESS", "COUNTS");
        LockSearch.At after = null;
        int printed = 0;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            LockSearch.Filter filter = filter(new ElasticNamespaces(elastic, control));
            Overview overview = new Overview(
                    new ElasticJournal(control),
                    new ElasticJournalSearch(control),
                    new LockSearch(new ElasticLockStore(control)),
                    new ElasticProcessStore(control));
            do {
                Overview.Locks page =
                        overview.locks(filter, after, Math.min(limit - printed, JournalSearch.LARGEST_PAGE));
                page.locks().forEach(locked -> rows.add(OverviewJson.of(locked), cells(locked)));
                rows.flush();
                printed += page.locks().size();
                after = page.next();
            } while (after != null && printed < limit);
        }
        rows.endOr("no lock was found");
        if (after != null) {
            spec.commandLine()
                    .getErr()
                    .println("rename-admin: the list may be incomplete; a larger --limit shows more");
        }
        return ExitCodes.WELL;
    }

    private LockSearch.Filter filter(Namespaces namespaces) {
        if (path == null) {
            return namespace == null ? new LockSearch.Filter.All() : new LockSearch.Filter.In(namespace);
        }
        if (namespace == null) {
            throw new IllegalArgumentException("PATH requires the option --namespace");
        }
        return new LockSearch.Filter.Around(
                namespace, namespaces.require(namespace).notation().path(path));
    }

    private static List<Object[]> cells(LockedPath locked) {
        return locked.holders().stream()
                .map(holder -> new Object[] {
                    locked.namespace(),
                    locked.path(),
                    (holder.by() == LockedPath.By.HOLD ? "held " : "claimed ")
                            + holder.mode().stored(),
                    holder.requestId(),
                    holder.state() == null ? "no entry" : OverviewJson.word(holder.state()),
                    holder.askedAt(),
                    holder.processId() == null
                            ? "-"
                            : holder.processId() + " (" + OverviewJson.word(holder.process()) + ")",
                    holder.counts() ? "yes" : "no"
                })
                .toList();
    }
}
