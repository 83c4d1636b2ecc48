package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;

class RequestKeyTest {

    @ParameterizedTest(name = "{0} with a depth of {1}: {2}")
    @CsvSource({
        "/a/b/c, 0, files",
        "/a/b/c, 1, files/a",
        "/a/b/c, 2, files/a/b",
        "/a/b/c, 3, files/a/b/c",
        "/a/b/c, 4, files/a/b/c",
        "/a, 1, files/a",
        "/ab, 1, files/ab",
        "/, 1, files/",
        "'', 1, files",
        "relative/path, 1, filesrelative",
    })
    void the_key_is_the_namespace_and_the_first_segments_of_the_source(String source, int depth, String key) {
        assertThat(RequestKey.of(new RenameRequest("r", "files", source, "/x", OnExisting.FAIL, null), depth))
                .isEqualTo(key);
    }
}
