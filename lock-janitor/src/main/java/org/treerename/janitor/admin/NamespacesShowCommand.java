package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code rename-admin namespaces show}: prints the stored definitions. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints the stored definitions. The format json shows all fields.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class NamespacesShowCommand implements Callable<Integer> {

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        Output.Rows rows =
                output.list("NAMESPACE", "INDEX", "PATH FIELD", "DIRECTORIES", "GRANULARITY", "VERSION", "SEPARATOR");
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            for (JsonNode json : new ElasticNamespaces(elastic, new ControlIndex(elastic)).stored()) {
                rows.add(json, cells(json));
            }
        }
        rows.endOr("no namespace is defined; rename-admin namespaces define defines one");
        return ExitCodes.WELL;
    }

    private static Object[] cells(JsonNode json) {
        JsonNode definition = json.path("definition");
        return new Object[] {
            json.path("namespace").asText(),
            definition.path("index").asText(),
            definition.path("path_field").asText(),
            definition.hasNonNull("directory_field")
                    ? definition.path("directory_field").asText()
                    : "-",
            definition.path("granularity").asText(),
            definition.path("version").asText(),
            definition.path("separator").asText()
        };
    }
}
