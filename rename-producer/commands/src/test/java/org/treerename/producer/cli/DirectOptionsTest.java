package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;

/**
 * Tests the options that {@code rename mv --direct} refuses, ignores or requires. DirectMvIT tests the rename itself.
 */
class DirectOptionsTest {

    private static final String URL = "--elasticsearch-url=http://127.0.0.1:1";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("mv", "/a", "/b", "--direct"));
        arguments.addAll(more);
        Connectors connectors = new Connectors(
                settings -> {
                    throw new AssertionError("--direct must not connect to Kafka");
                },
                (settings, request) -> {
                    throw new NoAnswerException("the forecast was requested", null);
                },
                settings -> {
                    throw new AssertionError("--direct must not open the journal for a status");
                });
        return new Main(connectors, environment, new PrintWriter(out, true), new PrintWriter(err, true))
                .run(new SystemTime(), arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"--no-wait", "--until=decided", "--after=r1", "--timeout=5s"})
    void refuses_an_option_of_a_request_that_is_sent(String option) {
        assertThat(run(Map.of(), List.of(URL, option))).isEqualTo(2);

        assertThat(err.toString())
                .startsWith(
                        "rename: --direct sends no request and waits until the rename has ended; use --direct without "
                                + option.replaceFirst("=.*", ""));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refuses_a_gateway() {
        assertThat(run(Map.of(), List.of(URL, "--server=http://gateway.example.com")))
                .isEqualTo(2);

        assertThat(err.toString())
                .startsWith("rename: the gateway http://gateway.example.com has no endpoint for rename mv --direct; use"
                        + " --elasticsearch-url instead of --server");
    }

    @Test
    void needs_the_address_of_elasticsearch_and_not_of_kafka() {
        assertThat(run(Map.of("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1"), List.of()))
                .isEqualTo(2);

        assertThat(err.toString()).startsWith("rename: expected the addresses of Elasticsearch, found none");
    }

    @Test
    void ignores_an_option_of_a_request_that_is_sent_in_the_environment() {
        assertThat(run(Map.of("TREE_RENAME_TIMEOUT", "5s"), List.of(URL))).isEqualTo(3);

        assertThat(err.toString()).contains("http://127.0.0.1:1");
    }

    @Test
    void a_dry_run_requests_the_forecast_and_runs_nothing() {
        assertThat(run(Map.of(), List.of(URL, "--dry-run"))).isEqualTo(3);

        assertThat(err.toString()).isEqualTo("the forecast was requested\n");
    }
}
