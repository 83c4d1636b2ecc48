package org.treerename.producer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code rename find}: prints the documents at and below a path. */
@Command(
        name = "find",
        mixinStandardHelpOptions = true,
        description =
                "Prints the current paths of all documents that are at or below a path and match a query. A decided"
                        + " rename is shown as complete, even while its documents move.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:documents were found",
            "1:nothing was found",
            "2:wrong use",
            "3:no answer from Elasticsearch or the gateway, a refused request, or a tree that changes too fast",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class FindCommand extends TreeCommand {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @Option(
            names = "--query",
            paramLabel = "JSON",
            description =
                    "An Elasticsearch query, such as {\"term\":{\"owner\":\"clinton\"}}. Do not use path fields in"
                            + " the query. While a rename moves documents, their stored paths differ from the printed"
                            + " paths.")
    private @Nullable String query;

    @Option(names = "--count", description = "Print only the number of documents.")
    private boolean count;

    @Override
    int print(TreePages pages) {
        JsonNode condition = condition();
        if (!count) {
            return print(most -> pages.find(condition, most), output().list(), document ->
                    new Object[] {document.path("path").asText()});
        }
        long found = pages.count(condition);
        output().object(
                        JsonNodeFactory.instance.objectNode().put("count", found),
                        () -> List.of(String.valueOf(found)));
        return found == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    private @Nullable JsonNode condition() {
        if (query == null) {
            return null;
        }
        try {
            return JSON.readTree(query);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "expected --query to be JSON, was " + query + ": " + e.getOriginalMessage(), e);
        }
    }
}
