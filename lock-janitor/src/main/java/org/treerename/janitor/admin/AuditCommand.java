package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeSurvey;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.audit.TreeAudit;
import org.treerename.janitor.process.MissingService;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.Repair;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.Journal;
import org.treerename.journal.LockBooks;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin audit}: reports leaks and, with {@code --repair}, repairs them. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = {
            "Compares locks, journal, processes and trees, and reports leaks. The command confirms each leak by a"
                    + " second check two seconds later. Without --repair, the command changes nothing.",
            "Each of these is a leak:",
            "- a hold or a claim that can never block another request again",
            "- a rename, or a hold of a writer, whose process is not live",
            "- a lock that a decided rename needs, but does not hold",
            "- a lock table whose holds exclude each other, or whose search keys do not match its holds and claims",
            "- a process document that is not needed",
            "- a path with several documents",
            "- a document whose parent directory has no document, in a namespace where directories are documents",
            "Documents at or below the source or the destination of an open rename are not reported, because they are"
                    + " being moved.",
            "The command also reports problems that are no leaks. No rename loses a document because of these"
                    + " problems:",
            "- a parked rename, whose locks are kept on purpose",
            "- a document that has no path, or has a path that no request can name",
            "- a document whose path does not agree with its parent, name, depth or ancestors field."
                    + " The next rename of the document corrects this field.",
            "- a document with one of these four fields that no rename can write. A rename of this document is parked.",
            "If a namespace defines one of these four fields, the command reads each document of the namespace."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no leak (with --repair: no leak after the repair)",
            "1:leaks",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class AuditCommand implements Callable<Integer> {

    /** The maximum number of paths or documents that one request reads. */
    private static final int PAGE = 1_000;

    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--process-retention",
            defaultValue = "1d",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long the janitors keep the process documents of ended processes (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration processRetention = Duration.ZERO;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Audit only the tree of this namespace (default: all trees). This option may be repeated.")
    private List<String> names = List.of();

    @Option(names = "--no-tree", description = "Do not audit the trees. The audit of a large tree takes a long time.")
    private boolean noTree;

    @Option(
            names = "--repair",
            description = "Repair the leaks that janitors also repair, and then audit again. The repair takes over"
                    + " the renames of processes that are not live. It removes holds and claims that can never block"
                    + " another request again. It deletes old process documents. It removes no lock that a rename"
                    + " still needs, and corrects no documents.")
    private boolean repair;

    @Mixin
    private OwnProcess.Options process = new OwnProcess.Options();

    @Mixin
    private Output output = new Output();

    AuditCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        if (noTree && !names.isEmpty()) {
            throw new IllegalArgumentException("--no-tree and --namespace exclude each other; give only one of them");
        }
        List<Finding> first;
        List<Finding> second;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            Auditor auditor = auditor(elastic);
            warnOfMissingServices(new ElasticProcessStore(new ControlIndex(elastic)));
            first = auditor.audit();
            second = repair && first.stream().anyMatch(finding -> finding.kind().isLeak())
                    ? repaired(auditor, first)
                    : first;
        }
        List<Finding> mended =
                first.stream().filter(finding -> !second.contains(finding)).toList();
        List<Finding> leaks =
                second.stream().filter(finding -> finding.kind().isLeak()).toList();
        List<Finding> parked =
                second.stream().filter(finding -> finding.kind() == Kind.PARKED).toList();
        List<Finding> remarks = second.stream()
                .filter(finding -> !finding.kind().isLeak() && finding.kind() != Kind.PARKED)
                .toList();
        output.object(json(leaks, parked, remarks, mended), () -> lines(leaks, parked, remarks, mended));
        return leaks.isEmpty() ? ExitCodes.WELL : ExitCodes.NOT_WELL;
    }

    private void warnOfMissingServices(ProcessStore processes) {
        List<String> live = processes.in(ProcessState.LIVE).stream()
                .map(ProcessDocument::service)
                .toList();
        MissingService.among(live)
                .forEach(missing -> spec.commandLine().getErr().println("rename-admin: " + missing));
    }

    private List<String> lines(List<Finding> leaks, List<Finding> parked, List<Finding> remarks, List<Finding> mended) {
        List<String> lines = new ArrayList<>();
        mended.forEach(leak -> lines.add("repaired, " + word(leak) + ": " + leak.text()));
        leaks.forEach(leak -> lines.add("leak, " + word(leak) + ": " + leak.text() + remark(leak)));
        parked.forEach(rename -> lines.add("parked: " + rename.text()));
        remarks.forEach(remark -> lines.add("remark, " + word(remark) + ": " + remark.text()));
        lines.add(summary(leaks.size(), parked.size()));
        return lines;
    }

    private String remark(Finding leak) {
        return repair ? " (not repaired: " + Repair.why(leak.kind()) + ")" : "";
    }

    private Auditor auditor(Elastic elastic) {
        ControlIndex control = new ControlIndex(elastic);
        Journal journal = new ElasticJournal(control);
        ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
        Auditor auditor = new Auditor(
                LockBooks.of(namespaces, journal, new ElasticLockStore(control)),
                new ElasticProcessStore(control),
                time,
                processRetention);
        return noTree
                ? auditor
                : auditor.withTrees(new TreeAudit(new ElasticTreeSurvey(elastic, PAGE), journal, audited(namespaces)));
    }

    private List<Finding> repaired(Auditor auditor, List<Finding> found) {
        try (OwnProcess own = process.connect(elasticsearch.settings(installation.installation()), time)) {
            Stores stores = own.stores();
            Repair mending = new Repair(
                    stores.journal(),
                    own.rollForward(stores),
                    new Sweep(stores, own.context()),
                    new ProcessCleanup(stores.journal(), own.processes(), time, processRetention));
            own.live(() -> mending.mend(found));
        }
        return auditor.audit();
    }

    private List<Namespace> audited(Namespaces namespaces) {
        return names.isEmpty()
                ? namespaces.all()
                : names.stream().map(namespaces::require).toList();
    }

    private static String summary(int leaks, int parked) {
        String found = leaks == 0 ? "no leak" : leaks == 1 ? "1 leak" : leaks + " leaks";
        return parked == 0
                ? found
                : found + ", " + parked + (parked == 1 ? " parked rename" : " parked renames")
                        + "; correct the cause, then run rename-admin retry-parked";
    }

    private static String word(Finding finding) {
        return finding.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private ObjectNode json(List<Finding> leaks, List<Finding> parked, List<Finding> remarks, List<Finding> mended) {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        list(report.putArray("leaks"), leaks);
        list(report.putArray("parked"), parked);
        list(report.putArray("remarks"), remarks);
        if (repair) {
            list(report.putArray("mended"), mended);
        }
        return report;
    }

    private static void list(ArrayNode array, List<Finding> findings) {
        findings.forEach(finding -> array.addObject().put("kind", word(finding)).put("text", finding.text()));
    }
}
