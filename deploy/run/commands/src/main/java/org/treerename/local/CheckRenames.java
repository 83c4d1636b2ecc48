package org.treerename.local;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.concurrent.Callable;
import org.treerename.checker.Checker;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.JournalDump;
import org.treerename.checker.RealRun;
import org.treerename.checker.Run;
import org.treerename.checker.Violation;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.runtime.SystemTime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@code deploy/verify/check-renames}: reads a tree, and checks the renames that follow. */
@Command(
        name = "check-renames",
        sortOptions = false,
        description = {
            "Checks the renames that other commands request while this command runs. It first reads the tree of a"
                    + " namespace; no rename may be in progress then. Then each line on standard input starts a check of all renames since the start:"
                    + " press Enter when they have ended. The checker replays the renames in a model of the tree,"
                    + " compares the documents with the model, and examines the journal, the locks and the topics.",
            "The line contains the number of processes that were killed since the start. An empty line means 0.",
            "Ctrl-D ends the command. The exit code is 0 if no check found a violation, and 1 otherwise."
        },
        footer = {
            "",
            "The environment variables ELASTICSEARCH_URL and KAFKA_BOOTSTRAP_SERVERS set the addresses of the servers."
                    + " Without these variables, the command uses the servers that deploy/run/up has started.",
            "Example: deploy/verify/check-renames --namespace files"
        })
final class CheckRenames implements Callable<Integer> {

    private static final Duration REQUEST = Duration.ofSeconds(30);

    /** After the outcome of a rename, its process needs a short time to close its entry and its points in time. */
    private static final Duration CLOSING = Duration.ofSeconds(15);

    private static final Duration POLL = Duration.ofMillis(250);

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The namespace of the renames (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    public static void main(String[] arguments) {
        System.exit(Commands.run(new CheckRenames(), arguments));
    }

    @Override
    public Integer call() {
        Path file = DeployFolder.stackEnv();
        String url = StackEnv.address(StackEnv.ELASTICSEARCH, System.getenv(), file);
        String kafka = StackEnv.address(StackEnv.KAFKA, System.getenv(), file);
        Installation installation = StackEnv.installation(System.getenv(), file);
        boolean areGood = true;
        try (ElasticsearchHttp http = new ElasticsearchHttp(url, installation)) {
            RealRun run = RealRun.begin(http, kafka, definition(url, installation));
            print(
                    "documents: %d; press Enter to check the renames since now",
                    run.before().stored().size());
            Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
            while (lines.hasNextLine()) {
                areGood &= isGood(run, killed(lines.nextLine().strip()));
            }
        }
        return areGood ? Commands.DONE : Commands.FAILED;
    }

    private Namespace definition(String url, Installation installation) {
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(url, REQUEST).in(installation))) {
            return new ElasticNamespaces(elastic, new ControlIndex(elastic)).require(namespace);
        }
    }

    private static int killed(String line) {
        if (!line.matches("\\d{0,4}")) {
            throw new IllegalArgumentException("expected the number of killed processes, was " + line);
        }
        return line.isEmpty() ? 0 : Integer.parseInt(line);
    }

    private boolean isGood(RealRun run, int killed) {
        new Patience(new SystemTime(), POLL)
                .until(CLOSING, () -> Checker.check(run.read(killed, true)).isEmpty());
        Run found = run.read(killed, true);
        List<Violation> violations = Checker.check(found);
        violations.forEach(violation -> print("%s", violation));
        JournalDump journal = found.control().journal();
        print(
                "renames: %d, completed: %d, documents: %d, violations: %d",
                journal.entries().size(),
                journal.completed(namespace).size(),
                found.after().stored().size(),
                violations.size());
        return violations.isEmpty();
    }

    /** Flushes each line, because a script may wait for it. */
    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
        System.out.flush();
    }
}
