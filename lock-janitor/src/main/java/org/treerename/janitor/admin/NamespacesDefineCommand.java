package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;
import org.treerename.namespace.TreeProblem;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code rename-admin namespaces define}: stores the definitions of a file in the control index. */
@Command(
        name = "define",
        mixinStandardHelpOptions = true,
        description = {
            "Stores the definitions from a YAML file in the control index. A definition is not stored if the index of"
                    + " the namespace is not suitable for renames.",
            "A stored definition is changed only with --replace. Before you use --replace, stop all workers,"
                    + " janitors and writers, because they keep definitions in memory. No rename of the changed"
                    + " namespace may be open."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all namespaces are defined",
            "1:some namespaces are not defined",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class NamespacesDefineCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The YAML file with the definitions.")
    private Path file = Path.of("");

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    @Option(names = "--replace", description = "Replace stored definitions with the definitions in the file.")
    private boolean replace;

    @Override
    public Integer call() {
        List<Namespace> wanted = NamespaceFile.read(file);
        boolean isAllDefined = true;
        Output.Rows rows = output.list();
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            control.create();
            ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
            ElasticTreeCheck check = new ElasticTreeCheck(elastic);
            Redefinition redefinition = new Redefinition(
                    new ElasticProcessStore(control), new ElasticJournal(control), new ElasticLockStore(control));
            for (Namespace namespace : wanted) {
                List<String> problems = define(namespace, namespaces, check, redefinition);
                isAllDefined &= problems.isEmpty();
                rows.add(json(namespace, problems), lines(namespace, problems));
            }
        }
        rows.end();
        return isAllDefined ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    /** Stores a definition. Returns the reasons if the definition is not stored, and an empty list otherwise. */
    private List<String> define(
            Namespace namespace, ElasticNamespaces namespaces, ElasticTreeCheck check, Redefinition redefinition) {
        List<TreeProblem> problems = check.problems(namespace);
        if (!problems.isEmpty()) {
            return problems.stream().map(TreeProblem::toString).toList();
        }
        boolean differs = namespaces
                .find(namespace.name())
                .filter(stored -> !stored.equals(namespace))
                .isPresent();
        try {
            if (differs && replace) {
                redefinition.requireQuiet(namespace.name());
                namespaces.redefine(namespace);
            } else {
                namespaces.define(namespace);
            }
        } catch (IllegalStateException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        return List.of();
    }

    private static ObjectNode json(Namespace namespace, List<String> problems) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("namespace", namespace.name())
                .put("defined", problems.isEmpty());
        problems.forEach(json.putArray("problems")::add);
        return json;
    }

    private static Object[] lines(Namespace namespace, List<String> problems) {
        return problems.isEmpty()
                ? new Object[] {namespace.name() + " is defined"}
                : problems.stream()
                        .map(problem -> namespace.name() + " is not defined: " + problem)
                        .toArray();
    }
}
