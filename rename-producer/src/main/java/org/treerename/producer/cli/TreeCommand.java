package org.treerename.producer.cli;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticPointsInTime;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.reader.TreeChangedException;
import org.treerename.reader.TreeView;
import org.treerename.reader.TreeViews;
import org.treerename.reader.ViewExpiredException;
import org.treerename.runtime.Printable;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that reads a tree. In its output, every committed rename has moved all its documents. */
abstract class TreeCommand implements Callable<Integer> {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PATH", description = "The path, in the notation of the namespace.")
    private String path = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

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
                            + " this option, the command then fails.")
    private boolean mayBeInconsistent;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            Namespace namespace = new ElasticNamespaces(elastic, control)
                    .find(name)
                    .orElseThrow(() -> new IllegalArgumentException("there is no namespace " + name));
            TreeViews views = new TreeViews(
                    new ElasticLockStore(control),
                    new ElasticJournal(control),
                    new ElasticPointsInTime(elastic),
                    new SystemTime());
            return answer(views, namespace);
        } catch (NoAnswerException | RefusedException | TreeChangedException | ViewExpiredException e) {
            warn(String.valueOf(e.getMessage()));
            return ExitCodes.UNKNOWN;
        }
    }

    private int answer(TreeViews views, Namespace namespace) {
        TreePath at = namespace.notation().path(path);
        try (TreeView view = views.open(namespace, at, new TreeViews.Options(true, mayBeInconsistent))) {
            if (!view.isConsistent()) {
                warn("the tree changes too fast: this answer may show parts of several states");
            }
            return print(view, at);
        }
    }

    /** Prints the answer. Returns the exit code. */
    abstract int print(TreeView view, TreePath at);

    final void warn(String message) {
        spec.commandLine().getErr().println("rename: " + Printable.of(message));
    }

    final void warnOfMore() {
        warn("there may be more; --limit shows them");
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final int limit() {
        return limit;
    }

    final boolean isJson() {
        return json;
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }
}
