package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.elastic.ElasticTreeSurvey;
import org.treerename.janitor.audit.TreeAudit;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;
import org.treerename.namespace.TreeProblem;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code rename-admin check}: checks whether an index and its documents are suitable for renames. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks whether the index of a namespace is suitable for renames, and whether its documents form a tree."
                    + " The command changes nothing.",
            "The command reports these problems:",
            "- a path with several documents",
            "- a document whose parent directory has no document, in a namespace where directories are documents",
            "- a path field without a valid path",
            "- a parent, name, depth or ancestors field that does not agree with the path",
            "- one of these four fields that no rename can write",
            "If the namespace is not defined, --namespaces must name a file with its definition.",
            "Documents at or below the source or the destination of an open rename are not reported, because they are"
                    + " being moved."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no problem",
            "1:at least one problem",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class CheckCommand implements Callable<Integer> {

    /** The maximum number of paths or documents that one request reads. */
    private static final int PAGE = 1_000;

    /** One problem that the check found. */
    private record Problem(String kind, String text) {}

    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "The namespace to check.")
    private String name = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description = "The file with the definition (default: the stored definition).")
    private @Nullable Path file;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        List<Problem> problems;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            Namespace namespace = namespace(elastic);
            List<TreeProblem> unfit = new ElasticTreeCheck(elastic).problems(namespace);
            problems = unfit.isEmpty()
                    ? inTree(elastic, namespace)
                    : unfit.stream()
                            .map(problem -> new Problem("index", problem.toString()))
                            .toList();
        }
        Output.Rows rows = output.list();
        problems.forEach(problem -> rows.add(json(problem), problem.kind() + ": " + problem.text()));
        rows.end();
        output.note(
                problems.isEmpty() ? "no problem" : problems.size() == 1 ? "1 problem" : problems.size() + " problems");
        return problems.isEmpty() ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private Namespace namespace(Elastic elastic) {
        if (file == null) {
            return new ElasticNamespaces(elastic, new ControlIndex(elastic)).require(name);
        }
        return NamespaceFile.read(file).stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected a definition of the namespace " + name
                        + " in " + file + ", found none; correct the name or --namespaces"));
    }

    private static List<Problem> inTree(Elastic elastic, Namespace namespace) {
        ControlIndex control = new ControlIndex(elastic);
        ElasticTreeSurvey survey = new ElasticTreeSurvey(elastic, PAGE);
        TreeAudit audit = control.isThere()
                ? new TreeAudit(survey, new ElasticJournal(control), List.of(namespace))
                : TreeAudit.ofUnused(survey, List.of(namespace));
        return audit.poll().stream()
                .map(finding -> new Problem(
                        finding.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), finding.text()))
                .toList();
    }

    private static ObjectNode json(Problem problem) {
        return JsonNodeFactory.instance.objectNode().put("kind", problem.kind()).put("text", problem.text());
    }
}
