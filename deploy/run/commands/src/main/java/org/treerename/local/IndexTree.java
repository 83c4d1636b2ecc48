package org.treerename.local;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs {@code deploy/run/index-tree}: indexes a directory of this machine, and defines the namespace. */
@Command(
        name = "index-tree",
        sortOptions = false,
        description = {
            "Indexes a directory of this machine in Elasticsearch, one document for each file and directory. The"
                    + " command also defines the namespace, so that renames are possible.",
            "The command does not follow symbolic links. It skips symbolic links and special files. The document of a"
                    + " text file contains the first 4 kilobytes of the file."
        },
        footer = {
            "",
            "The environment variable ELASTICSEARCH_URL sets the address of Elasticsearch. Without this variable, the"
                    + " command uses the Elasticsearch that deploy/run/up has started.",
            "Example: deploy/run/index-tree /usr/share --at /usr/share"
        })
final class IndexTree implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "DIR", description = "The directory to index.")
    private java.nio.file.Path folder = java.nio.file.Path.of("");

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The name of the namespace and of the index (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--at",
            defaultValue = "/",
            paramLabel = "PATH",
            description = "The command indexes the entries of DIR below this path of the tree (default:"
                    + " ${DEFAULT-VALUE}). If this option is repeated, the tree gets a copy of DIR at each path.")
    private List<String> at = List.of();

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The largest number of entries that are indexed below each path (default: all).")
    private long limit = Long.MAX_VALUE;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "The prefix of the installation that renames the documents (default: TREE_RENAME_PREFIX, or"
                    + " the prefix of the running stack).")
    private @Nullable String prefix;

    public static void main(String[] arguments) {
        System.exit(Commands.run(new IndexTree(), arguments));
    }

    @Override
    public Integer call() throws IOException {
        for (String path : at) {
            TreePath.problem(path).ifPresent(problem -> {
                throw new IllegalArgumentException("--at: " + problem);
            });
        }
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        if (!Namespace.isName(namespace)) {
            throw new IllegalArgumentException(
                    "--namespace must begin with a-z or 0-9, and must have at most 100 characters of a-z, 0-9, . _"
                            + " and -, was \"" + namespace + "\"");
        }
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("DIR must be a directory, was " + folder);
        }
        String url = StackEnv.address(StackEnv.ELASTICSEARCH, System.getenv(), DeployFolder.stackEnv());
        Installation installation = prefix == null
                ? StackEnv.installation(System.getenv(), DeployFolder.stackEnv())
                : new Installation(prefix);
        TreeIndexing.Job job = new TreeIndexing.Job(
                folder.toRealPath(), at.stream().map(TreePath::new).toList(), limit, namespace);
        try (ElasticsearchHttp http = new ElasticsearchHttp(url)) {
            System.out.println("Indexing " + folder + " below " + at.getFirst()
                    + (at.size() == 1 ? "" : " and " + (at.size() - 1) + " other paths") + " in the namespace "
                    + namespace);
            print(new TreeIndexing(job, http, url, installation).run());
            System.out.println("The namespace " + namespace + " has " + new FileIndex(http, namespace).count()
                    + " documents now.");
        }
        return Commands.DONE;
    }

    private static void print(TreeIndexing.Indexed indexed) {
        Tally tally = indexed.tally();
        double seconds = indexed.taken().toMillis() / 1_000.0;
        System.out.printf(
                Locale.ROOT,
                "documents: %d in %.1f s (%.0f per second), directories: %d, files: %d, files with contents: %d%n",
                indexed.documents(),
                seconds,
                indexed.documents() / Math.max(seconds, 0.001),
                tally.directories + indexed.above(),
                tally.files,
                indexed.withContents());
        tally.leftOut().forEach(entries -> System.out.println("Left out: " + entries + "."));
    }
}
