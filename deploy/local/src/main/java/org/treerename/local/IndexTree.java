package org.treerename.local;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deploy/local/index-tree}. */
@Command(
        name = "index-tree",
        sortOptions = false,
        description = {
            "Puts a directory of this machine into Elasticsearch, one document for each file and directory, and defines"
                    + " the namespace, so that it can be renamed in.",
            "Symbolic links are not followed; they and special files are left out. Text files keep their first 4 kilobytes."
        },
        footer = {
            "",
            "Uses the stack that deploy/local/up has started, or the Elasticsearch that ELASTICSEARCH_URL names.",
            "Example: deploy/local/index-tree /usr/share --at /usr/share"
        })
final class IndexTree implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "DIR", description = "The directory.")
    private java.nio.file.Path folder = java.nio.file.Path.of("");

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The namespace, and the index (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--at",
            defaultValue = "/",
            paramLabel = "PATH",
            description = "Where in the tree the entries of DIR are to stand (default: ${DEFAULT-VALUE}).")
    private String at = "";

    public static void main(String[] arguments) {
        System.exit(Commands.run(new IndexTree(), arguments));
    }

    @Override
    public Integer call() throws IOException {
        TreePath.problem(at).ifPresent(problem -> {
            throw new IllegalArgumentException("--at: " + problem);
        });
        if (!Namespace.isName(namespace)) {
            throw new IllegalArgumentException(
                    "--namespace: \"" + namespace + "\" is none: small letters, digits, . _ -");
        }
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(folder + " is not a directory");
        }
        String url = StackEnv.elasticsearchUrl(System.getenv(), LocalFolder.stackEnv());
        TreeIndexing.Job job =
                new TreeIndexing.Job(folder.toRealPath(), List.of(new TreePath(at)), Long.MAX_VALUE, namespace);
        try (ElasticsearchHttp http = new ElasticsearchHttp(url)) {
            System.out.println("Indexing " + folder + " below " + at + " in the namespace " + namespace);
            tell(new TreeIndexing(job, http, url).run());
            System.out.println("The namespace " + namespace + " has " + new FileIndex(http, namespace).count()
                    + " documents now.");
        }
        return Commands.DONE;
    }

    private static void tell(TreeIndexing.Indexed indexed) {
        Tally tally = indexed.tally();
        double seconds = indexed.taken().toMillis() / 1_000.0;
        System.out.printf(
                Locale.ROOT,
                "%d documents in %.1f s (%.0f a second): %d directories, %d files, %d of them with contents.%n",
                indexed.documents(),
                seconds,
                indexed.documents() / Math.max(seconds, 0.001),
                tally.directories + indexed.above(),
                tally.files,
                indexed.withContents());
        tally.leftOut().forEach(what -> System.out.println("Left out: " + what + "."));
    }
}
