package org.treerename.janitor.admin;

import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rename-admin namespaces show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints the stored definitions, one JSON object per line.",
        footer = {"", "Exit codes: 0 success; 2 wrong use; 3 Elasticsearch did not answer."})
final class NamespacesShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Override
    public Integer call() {
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            new ElasticNamespaces(elastic, new ControlIndex(elastic))
                    .stored()
                    .forEach(spec.commandLine().getOut()::println);
        }
        return ExitCodes.WELL;
    }
}
