package org.treerename.janitor.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.elastic.ServerProbe.Clock;
import org.treerename.elastic.ServerProbe.Copies;
import org.treerename.elastic.ServerProbe.Node;
import org.treerename.elastic.ServerProbe.Seen;
import org.treerename.janitor.doctor.Finding.Level;

final class ElasticsearchFindingsTest {

    private static final URI URL = URI.create("http://127.0.0.1:9200");

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "8.19.0, ERROR, 'is too old, so workers, janitors and gateways do not start'",
        "9.1.0, WARNING, is older than the oldest tested version",
        "9.2.0, OK, is supported",
        "9.5.3, OK, is supported",
        "9.6.0, WARNING, is newer than the newest tested version",
        "10.0.0, WARNING, is newer than the newest tested version",
        "9.2.0 9.4.3, WARNING, different versions",
        "8.19.0 9.4.3, ERROR, is too old",
        "nine, WARNING, is unknown",
        "none, WARNING, cannot be read",
    })
    void evaluates_versions(String versions, Level level, String words) {
        Set<String> all = new TreeSet<>(Arrays.asList(versions.split(" ")));
        all.remove("none");

        Finding finding = ElasticsearchFindings.versions(all);

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.what()).contains(words);
        assertThat(finding.mend().isEmpty()).isEqualTo(level == Level.OK);
    }

    @Test
    void refuses_other_servers() {
        assertThat(ElasticsearchFindings.kind("default", "")).isEmpty();
        assertThat(ElasticsearchFindings.kind("serverless", ""))
                .extracting(Finding::level)
                .containsExactly(Level.ERROR);
        assertThat(ElasticsearchFindings.kind("", "opensearch"))
                .extracting(Finding::what)
                .containsExactly("the server is opensearch, not Elasticsearch");
    }

    private static Seen seen(String id, String published, String... headers) {
        return new Seen(
                headers.length == 0 ? Map.of() : Map.of(headers[0], "x"),
                Optional.of(new Node(id, "node-" + id, "9.4.3", published)));
    }

    private static Finding address(Seen... seen) {
        return ElasticsearchFindings.address(URL, List.of(seen));
    }

    @Test
    void evaluates_addresses() {
        assertThat(address(seen("a", "127.0.0.1:9200"), seen("a", "127.0.0.1:9200")))
                .isEqualTo(Finding.ok("elasticsearch address", "http://127.0.0.1:9200 is the node node-a"));
        assertThat(address(seen("a", "10.0.0.1:9200"), seen("b", "10.0.0.2:9200")))
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.ERROR);
                    assertThat(finding.what()).contains("answers as 2 different nodes");
                    assertThat(finding.mend()).endsWith("10.0.0.1:9200, 10.0.0.2:9200");
                });
        assertThat(address(seen("a", "127.0.0.1:9201"))).satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).contains("which publishes the address 127.0.0.1:9201");
        });
        assertThat(address(seen("a", "127.0.0.1:9200", "x-found-handling-cluster"))
                        .level())
                .isEqualTo(Level.ERROR);
        assertThat(address(seen("a", "127.0.0.1:9200", "via")).level()).isEqualTo(Level.WARNING);
        assertThat(address(new Seen(Map.of(), Optional.empty())).what()).contains("it is not known whether");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "http://127.0.0.1:9200, 127.0.0.1:9200, true",
        "http://localhost:9200, 127.0.0.1:9200, true",
        "https://es.example:443, es.example/10.0.0.1:443, true",
        "https://es.example, es.example/10.0.0.1:443, true",
        "http://127.0.0.1:9200, 127.0.0.1:9201, false",
        "http://127.0.0.1:9200, 10.1.2.3:9200, false",
        "http://127.0.0.1:9200, '', false",
    })
    void compares_an_address_with_the_published_one(URI url, String published, boolean expected) {
        assertThat(ElasticsearchFindings.isPublished(url, published)).isEqualTo(expected);
    }

    @Test
    void evaluates_clocks() {
        Instant before = Instant.parse("2024-01-01T00:00:10Z");
        Instant after = Instant.parse("2024-01-01T00:00:12Z");

        assertThat(ElasticsearchFindings.clocks(
                        List.of(new Clock("a", before.minusSeconds(5)), new Clock("b", after.plusSeconds(5))),
                        before,
                        after))
                .extracting(Finding::level)
                .containsExactly(Level.OK);
        assertThat(ElasticsearchFindings.clocks(
                        List.of(new Clock("a", before.minusSeconds(6)), new Clock("b", after.plusSeconds(60))),
                        before,
                        after))
                .extracting(Finding::what)
                .satisfiesExactly(
                        behind -> assertThat(behind).contains("the node a is 6 s behind the clock"),
                        ahead -> assertThat(ahead).contains("the node b is 60 s ahead of the clock"));
        assertThat(ElasticsearchFindings.clocks(List.of(), before, after))
                .extracting(Finding::level)
                .containsExactly(Level.WARNING);
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "0, 2, false, ERROR, has no started copy",
        "1, 1, false, WARNING, has only one copy",
        "1, 2, false, WARNING, has only one copy",
        "2, 3, false, WARNING, only 2 of 3 copies",
        "2, 2, true, OK, has 2 copies",
    })
    void evaluates_copies(int started, int expected, boolean expands, Level level, String words) {
        Finding finding = ElasticsearchFindings.copies("s", "i", new Copies(started, expected, expands));

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.what()).contains(words);
    }
}
