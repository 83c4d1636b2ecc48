package org.treerename.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.RealRun;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.installation.Installation;
import org.treerename.janitor.audit.Audit;
import org.treerename.namespace.Namespace;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code deploy/run/demo}: starts a stack, indexes a directory, plays the scenes, and compares the tree with a
 * model.
 */
@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Shows the system with real input. The command starts its own servers and services, and indexes a"
                    + " directory of this machine in Elasticsearch. It renames a directory with thousands of"
                    + " documents. During this rename, it renames a file inside the directory. Then it runs a chain"
                    + " of renames that depend on each other. It compares the tree in Elasticsearch with the tree of"
                    + " a model. Then it kills a worker in the middle of a rename. A janitor finishes the rename, and"
                    + " the command compares the trees again.",
            "The command leaves no process running. The exit code is 0 only if all of these statements are true:",
            "- The trees are equal.",
            "- A rename waited for a lock.",
            "- A janitor rolled forward the rename of the killed worker.",
            "- The audit has no findings."
        })
final class Demo implements Callable<Integer> {

    private static final int WORKERS = 2;
    private static final int JANITORS = 1;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration LOCK_WAIT = Duration.ofMinutes(2);

    /**
     * The options of the workers. With small pages a rename is so slow that the demo can show the rename and interrupt
     * it.
     */
    private static final List<String> WORKER_OPTIONS = List.of("--page-size=1000");

    private static final String FOLDER = "demo-";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            description = "The directory to index (default: /usr/share, /usr/lib or /usr).")
    private @Nullable Path given;

    private static final int ORDERING_DEPTH = 10;

    private final Time time = new SystemTime();
    private final Narrator narrator = new Narrator(time, System.out);

    public static void main(String[] arguments) {
        System.exit(Commands.run(new Demo(), arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DemoInput input = DemoInput.of(given);
        Path folder =
                DeployFolder.output().resolve(FOLDER + ProcessHandle.current().pid());
        deleteOldFolders();
        RunningStack.Settings settings = settings(folder);
        narrator.chapter("1. The stack of the demo");
        narrator.report(
                "starting Elasticsearch, Kafka, %d workers and a janitor; their data and logs are in %s",
                WORKERS, folder);
        boolean succeeded;
        try (RunningStack stack = RunningStack.start(settings, words -> narrator.report("%s", words))) {
            narrator.report(
                    "ready: Elasticsearch at %s, Kafka at %s", stack.elasticsearchUrl(), stack.kafkaBootstrapServers());
            succeeded = play(stack, input);
        } catch (RuntimeException e) {
            narrator.report("The demo stopped with an error. The logs are in %s", settings.data());
            throw e;
        }
        if (succeeded) {
            FolderTree.delete(folder);
        } else {
            narrator.report("The logs are in %s", settings.data());
        }
        narrator.report(succeeded ? "The demo succeeded." : "THE DEMO FAILED.");
        return succeeded ? Commands.DONE : Commands.FAILED;
    }

    static RunningStack.Settings settings(Path folder) {
        return new RunningStack.Settings(
                folder, WORKERS, JANITORS, LEASE, LOCK_WAIT, WORKER_OPTIONS, Installation.DEFAULT);
    }

    private boolean play(RunningStack stack, DemoInput input) throws InterruptedException {
        // with this depth, the requests for a directory and for a file below it usually have different partitions,
        // so only the locks order these renames
        ProducerSettings kafka =
                ProducerSettings.of(stack.kafkaBootstrapServers()).withOrderingDepth(ORDERING_DEPTH);
        try (ElasticsearchHttp http = new ElasticsearchHttp(stack.elasticsearchUrl());
                Admin admin = stack.admin();
                RenameProducer producer = RenameProducer.connect(kafka);
                RenameProducer otherProducer = RenameProducer.connect(kafka);
                DemoControl control = new DemoControl(stack.elasticsearchUrl(), time)) {
            narrator.chapter("2. A real directory tree");
            TreeModel tree = index(stack, input, http);
            RealRun run = RealRun.begin(
                    http, stack.kafkaBootstrapServers(), Namespace.ofFiles(DemoStage.NAMESPACE, DemoStage.NAMESPACE));
            DemoStage stage = new DemoStage(producer, otherProducer, http, narrator, time);
            DemoStory story = new DemoStory(stage, narrator, time, tree);
            story.awaitWorkers(admin, WORKERS);
            narrator.chapter("3. A large rename, and a rename inside it at the same time");
            boolean waited = story.playScene();
            narrator.chapter("4. A chain of renames");
            story.playChain();
            narrator.chapter("5. The check");
            narrator.report(
                    waited
                            ? "A rename waited for a lock, and then tried again."
                            : "NO RENAME WAITED FOR A LOCK in %d tries. The scene must show a rename that waits.",
                    DemoStory.TRIES);
            DemoCheck check = new DemoCheck(http, run, narrator, time);
            if (!(check.isRight(tree, stage.asked(), stage.completed(), 0) && waited)) {
                return false;
            }
            narrator.chapter("6. A worker dies in the middle of a rename");
            narrator.report(
                    "The workers and the janitor have a lease of %s; the janitor checks the leases six times per lease.",
                    Narrator.seconds(LEASE));
            boolean rolledForward = story.playDeath(new DemoDeath(stage, control, http, narrator, time), stack);
            narrator.chapter("7. The second check");
            boolean succeeded = check.isRight(tree, stage.asked(), stage.completed(), 1);
            return audit(control) && succeeded && rolledForward;
        }
    }

    private boolean audit(DemoControl control) {
        List<Audit.Finding> findings = control.audit();
        narrator.report(
                "Findings of the audit: %s.", findings.isEmpty() ? "none" : findings.size() + " (EXPECTED NONE)");
        findings.forEach(finding -> narrator.report("%s: %s", finding.kind(), finding.text()));
        return findings.isEmpty();
    }

    private TreeModel index(RunningStack stack, DemoInput input, ElasticsearchHttp http) {
        narrator.report(
                "indexing %s (counted entries: %,d%s) below %s",
                input.folder(),
                input.counted(),
                input.counted() > input.limit() ? String.format("; only the first %,d are indexed", input.limit()) : "",
                input.places().getFirst()
                        + (input.places().size() == 1
                                ? ""
                                : " (" + input.places().size() + " copies in all, because the directory is small)"));
        TreeIndexing.Job job = new TreeIndexing.Job(input.folder(), input.places(), input.limit(), DemoStage.NAMESPACE);
        TreeIndexing.Indexed indexed =
                new TreeIndexing(job, http, stack.elasticsearchUrl(), Installation.DEFAULT).run();
        narrator.report(
                "indexed %,d documents in %s: %,d directories and %,d files; %,d of the files have contents",
                indexed.documents(),
                Narrator.seconds(indexed.taken()),
                indexed.tally().directories + indexed.above(),
                indexed.tally().files,
                indexed.withContents());
        indexed.tally().leftOut().forEach(entries -> narrator.report("left out: %s", entries));
        TreeDump dump = TreeDump.read(http, job.definition());
        if (dump.stored().size() != indexed.documents()) {
            throw new IllegalStateException("expected " + indexed.documents() + " documents in Elasticsearch, found "
                    + dump.stored().size());
        }
        return TreeModel.of(dump);
    }

    /** Deletes the folders of earlier demos that were killed. */
    private static void deleteOldFolders() throws IOException {
        Files.createDirectories(DeployFolder.output());
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(DeployFolder.output(), FOLDER + "*")) {
            for (Path folder : folders) {
                String pid = folder.getFileName().toString().substring(FOLDER.length());
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    FolderTree.delete(folder);
                }
            }
        }
    }
}
