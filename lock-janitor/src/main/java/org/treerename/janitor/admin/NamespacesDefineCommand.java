package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.definition.NamespaceFile;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import org.treerename.path.Namespace;
import org.treerename.path.TreeProblem;
import org.treerename.rename.Redefinition;
import org.treerename.runtime.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rename-admin namespaces define}. */
@Command(
        name = "define",
        mixinStandardHelpOptions = true,
        description = {
            "Stores the definitions of a YAML file in the control index. A definition is not stored if its index is"
                    + " not suitable for renames.",
            "A stored definition is changed only with --replace. Before that, stop all workers and janitors, because"
                    + " they keep definitions in memory. No rename of the changed namespace may be open."
        },
        footer = {
            "",
            "Exit codes: 0 all namespaces are defined; 1 some namespaces are not defined; 2 wrong use; 3"
                    + " Elasticsearch did not answer."
        })
final class NamespacesDefineCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The YAML file with the definitions.")
    private Path file = Path.of("");

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(names = "--replace", description = "Replace stored definitions by the definitions in the file.")
    private boolean replace;

    @Override
    public Integer call() {
        List<Namespace> wanted = NamespaceFile.read(file);
        boolean isAllDefined = true;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            control.create();
            ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
            ElasticTreeCheck check = new ElasticTreeCheck(elastic);
            Redefinition redefinition = new Redefinition(
                    new ElasticProcessStore(control), new ElasticJournal(control), new ElasticLockStore(control));
            for (Namespace namespace : wanted) {
                isAllDefined &= define(namespace, namespaces, check, redefinition);
            }
        }
        return isAllDefined ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private boolean define(
            Namespace namespace, ElasticNamespaces namespaces, ElasticTreeCheck check, Redefinition redefinition) {
        PrintWriter out = spec.commandLine().getOut();
        List<TreeProblem> problems = check.problems(namespace);
        if (!problems.isEmpty()) {
            problems.forEach(
                    problem -> out.println(namespace.name() + " is not defined: " + Printable.of(problem.toString())));
            return false;
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
            out.println(namespace.name() + " is not defined: " + Printable.of(String.valueOf(e.getMessage())));
            return false;
        }
        out.println(namespace.name() + " is defined");
        return true;
    }
}
