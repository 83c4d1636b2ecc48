package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElasticUrlsTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9200, 127.0.0.1:9200",
        "https://elastic:pass word@host:9200, https://***@host:9200",
        "https://elastic:pa/ss w@rd@host:9200, https://***@host:9200",
    })
    void a_text_that_is_not_a_url_is_refused_without_its_password(String text, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Elastic.Settings.of(text, Duration.ofSeconds(1)))
                .withMessage("a URL of Elasticsearch must have the form http://HOST:PORT or https://HOST:PORT, found "
                        + shown);
    }

    @ParameterizedTest
    @CsvSource({"localhost:9200", "ftp://localhost:9200", "http:///path"})
    void a_url_needs_a_host_and_a_scheme_of_http(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElasticUrls.requireUsable(List.of(ElasticUrls.parsed(url)), null))
                .withMessageEndingWith("found " + url);
    }

    @Test
    void either_all_urls_or_none_are_encrypted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElasticUrls.requireUsable(
                        List.of(ElasticUrls.parsed("http://a:1"), ElasticUrls.parsed("https://b:1")), null))
                .withMessageStartingWith("the URLs of Elasticsearch must be all http or all https");
    }
}
