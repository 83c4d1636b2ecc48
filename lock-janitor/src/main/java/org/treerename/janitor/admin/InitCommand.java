package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.cli.Terminal;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.elastic.IndexSurvey;
import org.treerename.elastic.IndexSurvey.Sample;
import org.treerename.elastic.PathMapping;
import org.treerename.elastic.PathMapping.Change;
import org.treerename.elastic.PathMapping.Step;
import org.treerename.janitor.proposal.DefinitionFile;
import org.treerename.janitor.proposal.DefinitionText;
import org.treerename.janitor.proposal.PathGuess;
import org.treerename.janitor.proposal.RepairRequest;
import org.treerename.janitor.proposal.SampleDocument;
import org.treerename.janitor.proposal.TreeProposal;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.runtime.Printable;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin init}: proposes the definition of a namespace, and the repair of the mapping. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        description = {
            "Reads the mapping and some documents of an index or alias, proposes the definition of a namespace, and"
                    + " adds the definition to a file. Then the command checks whether the index is suitable for"
                    + " renames, as workers do when they start. If the index is not suitable, the command prints the"
                    + " requests that repair the mapping. The command sends none of these requests, and changes"
                    + " nothing in Elasticsearch.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the file contains the definition and the index is suitable",
            "1:the index is not suitable, or the definition is not written",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class InitCommand implements Callable<Integer> {

    /** The maximum number of documents that the command reads. */
    private static final int SAMPLE = 1_000;

    /** The maximum number of directories that the command searches for. */
    private static final int DIRECTORIES = 500;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "INDEX", description = "The index or alias of the documents.")
    private String index = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The name that requests use for the namespace (default: the name of the index or alias).")
    private @Nullable String name;

    @Option(
            names = "--file",
            defaultValue = "namespaces.yaml",
            paramLabel = "FILE",
            description = "The YAML file for the definition. The command creates the file if it does not exist"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("");

    @Option(
            names = "--path-field",
            paramLabel = "FIELD",
            description = "The field with the path (default: the field whose values look most like paths).")
    private @Nullable String pathField;

    @Option(
            names = "--separator",
            paramLabel = "TEXT",
            description = "The separator of paths (default: the separator that occurs in the documents).")
    private @Nullable String separator;

    @Option(names = "--yes", description = "Write the file without asking for confirmation.")
    private boolean yes;

    @Option(names = "--force", description = "Replace a different definition of the same namespace in the file.")
    private boolean force;

    @Mixin
    private Output output = new Output();

    InitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Namespace.requireIndex(index);
        String namespace = name == null ? index : name;
        if (!Namespace.isName(namespace)) {
            throw new IllegalArgumentException("the name of a namespace must begin with a lower-case letter or a digit,"
                    + " and contain only lower-case letters, digits, dots, _ and -, found \"" + namespace
                    + "\"; give another name with --namespace");
        }
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            IndexSurvey survey = new IndexSurvey(elastic);
            Optional<JsonNode> indices = survey.indices(index);
            if (indices.isEmpty()) {
                return endWithout("there is no index or alias " + index
                        + "; create the index with its mapping, or correct the name");
            }
            return propose(namespace, new MappedIndices(indices.get()), survey, new ElasticTreeCheck(elastic));
        }
    }

    private PrintWriter out() {
        return output.isForPeople()
                ? spec.commandLine().getOut()
                : spec.commandLine().getErr();
    }

    private int end(boolean isWritten, List<String> problems, List<RepairRequest> repairs) {
        boolean isSuitable = problems.isEmpty() && repairs.isEmpty();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("file", file.toString())
                .put("written", isWritten)
                .put("suitable", isSuitable);
        ArrayNode found = json.putArray("problems");
        problems.forEach(found::add);
        ArrayNode requests = json.putArray("repairs");
        repairs.forEach(repair -> requests.add(String.join("\n", repair.lines())));
        output.object(json, List::of);
        return isWritten && isSuitable ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private int endWithout(String reason) {
        out().println(Printable.of(reason));
        return end(false, List.of(reason), List.of());
    }

    private int propose(String namespace, MappedIndices indices, IndexSurvey survey, ElasticTreeCheck check) {
        Sample sample = survey.sample(index, SAMPLE);
        List<SampleDocument> documents =
                sample.documents().stream().map(SampleDocument::of).toList();
        out().println(index + ": read " + documents.size() + " of " + sample.total() + " documents");
        String wanted = pathField == null ? null : indices.wholeField(pathField);
        Optional<PathGuess> guess = PathGuess.of(documents, indices::mayBePath, wanted, separator);
        if (guess.isEmpty()) {
            return endWithout("no field of these documents looks like a path; name the field with --path-field");
        }
        String field = guess.get().field();
        Optional<PathMapping> mapping = indices.pathMapping(field);
        if (mapping.isEmpty()) {
            return endWithout("the mapping of the field " + field + " (" + indices.types(field)
                    + ") cannot be repaired in this index; create a new index that maps " + field
                    + " as a keyword, index the documents into the new index, and run this command for the new index");
        }
        TreeProposal proposal = proposal(guess.get(), documents, sample, mapping.get(), survey);
        Namespace proposed =
                proposal.namespace(namespace, index, mapping.get().keyword().orElse(null));
        describe(indices, guess.get(), proposal);
        boolean isWritten = write(proposed);
        List<TreeProblem> found = check.problems(proposed);
        IndexRepairs plan = new IndexRepairs(indices, mapping.get(), survey);
        List<RepairRequest> repairs = plan.needed();
        List<String> problems =
                found.stream().map(problem -> words(problem, repairs)).toList();
        List<RepairRequest> advice = plan.useful(guess.get(), proposal);
        out().println();
        if (!problems.isEmpty()) {
            out().println("workers refuse this index at present:");
            problems.forEach(problem -> out().println("  " + Printable.of(problem)));
        }
        if (!repairs.isEmpty()) {
            out().println("send these requests to Elasticsearch, in this order, and then run this command again:");
            print(repairs);
        }
        if (!advice.isEmpty()) {
            out().println("these requests are optional:");
            print(advice);
        }
        if (problems.isEmpty() && repairs.isEmpty()) {
            out().println("the index is suitable; check the documents with rename-admin check " + namespace
                    + " --namespaces " + file);
        }
        return end(isWritten, problems, repairs);
    }

    /** The text contains the correction, unless the printed requests correct the problem. */
    private static String words(TreeProblem problem, List<RepairRequest> repairs) {
        boolean isRepaired = !repairs.isEmpty() && problem.mend().contains("rename-admin init");
        return isRepaired ? problem.what() : problem.toString();
    }

    private static TreeProposal proposal(
            PathGuess guess, List<SampleDocument> documents, Sample sample, PathMapping mapping, IndexSurvey survey) {
        Set<String> parents = guess.parents(documents, DIRECTORIES);
        boolean isComplete = documents.size() == sample.total();
        boolean isSearchable = guess.holds() == Holds.PATH
                && mapping.changes().stream()
                        .allMatch(change -> change.step() == Step.NOTHING || change.step() == Step.RAISE_LIMIT);
        List<SampleDocument> above = isComplete || !isSearchable || parents.isEmpty()
                ? List.of()
                : survey
                        .having(
                                mapping.changes().stream()
                                        .map(Change::index)
                                        .reduce((a, b) -> a + "," + b)
                                        .orElse(""),
                                mapping.searched(),
                                guess.spellings(parents),
                                2 * DIRECTORIES)
                        .stream()
                        .map(SampleDocument::of)
                        .toList();
        return TreeProposal.of(guess, documents, above, isComplete || isSearchable ? parents : null);
    }

    private void describe(MappedIndices indices, PathGuess guess, TreeProposal proposal) {
        out().println("path field: " + guess.field() + " (" + indices.types(guess.field()) + "), separator \""
                + guess.notation().separator() + "\", "
                + (guess.notation().leading() ? "with" : "without") + " a separator at the beginning");
        proposal.remarks().forEach(remark -> out().println("remark: " + Printable.of(remark)));
    }

    /** Returns whether the file contains the definition now. */
    private boolean write(Namespace proposed) {
        DefinitionFile definitions = new DefinitionFile(file);
        DefinitionFile.Change change = definitions.plan(proposed, force);
        out().println();
        DefinitionText.lines(proposed, 2).forEach(line -> out().println(Printable.of(line)));
        out().println();
        if (change.result() != DefinitionFile.Result.UNCHANGED && !yes) {
            if (!isConfirmed()) {
                out().println(file + " is not written; use --yes to write it");
                return false;
            }
            // the file may have changed while the command waited for the confirmation
            change = definitions.plan(proposed, force);
        }
        definitions.write(change);
        out().println(file + " " + change.result().inWords());
        return true;
    }

    private boolean isConfirmed() {
        return terminal.ask("type yes to write this definition to " + file + ": ")
                .filter(typed -> typed.strip().equals("yes"))
                .isPresent();
    }

    private void print(List<RepairRequest> requests) {
        requests.forEach(request -> {
            out().println();
            request.lines().forEach(line -> out().println(Printable.of(line)));
        });
        out().println();
    }
}
