package org.treerename.janitor.admin;

import java.time.Duration;
import org.treerename.elastic.Elastic;
import org.treerename.runtime.DurationConverter;
import picocli.CommandLine.Option;

/** How to reach Elasticsearch. */
final class ElasticsearchOptions {

    @Option(
            names = "--elasticsearch-url",
            required = true,
            paramLabel = "URL,…",
            description = "Where Elasticsearch is; several nodes with commas between them.")
    private String urls = "";

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long one request to Elasticsearch may take (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    /** The caller closes it. */
    Elastic connect() {
        return connect(requestTimeout);
    }

    Elastic connect(Duration timeout) {
        return Elastic.connect(Elastic.Settings.of(urls, timeout));
    }
}
