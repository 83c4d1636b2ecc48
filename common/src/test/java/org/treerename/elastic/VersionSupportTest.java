package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.elastic.VersionSupport.Level;

final class VersionSupportTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "7.17.0, REFUSED, true, 'Elasticsearch 7.17.0 is too old; use Elasticsearch 9.2 to 9.5; 9.2.8, 9.4.3 and 9.5.3 are tested'",
        "8.19.13, REFUSED, true, 'Elasticsearch 8.19.13 is too old; use Elasticsearch 9.2 to 9.5; 9.2.8, 9.4.3 and 9.5.3 are tested'",
        "9.0.0, UNTESTED, true, Elasticsearch 9.0.0 is older than the oldest tested version 9.2.8; test renames on a copy of your data first",
        "9.1.10, UNTESTED, true, Elasticsearch 9.1.10 is older than the oldest tested version 9.2.8; test renames on a copy of your data first",
        "9.2.0, SUPPORTED, false, Elasticsearch 9.2.0 is supported",
        "9.3.4, SUPPORTED, false, Elasticsearch 9.3.4 is supported",
        "9.4.0, SUPPORTED, false, Elasticsearch 9.4.0 is supported",
        "9.4.3, SUPPORTED, false, Elasticsearch 9.4.3 is supported",
        "9.5.6, SUPPORTED, false, Elasticsearch 9.5.6 is supported",
        "9.6.0, UNTESTED, false, Elasticsearch 9.6.0 is newer than the newest tested version 9.5.3; test renames on a copy of your data first",
        "10.0.0, UNTESTED, false, Elasticsearch 10.0.0 is newer than the newest tested version 9.5.3; test renames on a copy of your data first",
        "9.4.3-SNAPSHOT, SUPPORTED, false, Elasticsearch 9.4.3-SNAPSHOT is supported",
        "nine, UNTESTED, false, 'the version nine of Elasticsearch is unknown; use Elasticsearch 9.2 to 9.5; 9.2.8, 9.4.3 and 9.5.3 are tested'",
    })
    void evaluates_one_version(String version, Level level, boolean refusesVectors, String sentence) {
        VersionSupport support = VersionSupport.of(List.of(version));

        assertThat(support.level()).isEqualTo(level);
        assertThat(support.sentence()).isEqualTo(sentence);
        assertThat(VersionSupport.anyRefusesExcludeVectors(List.of(version))).isEqualTo(refusesVectors);
    }

    @Test
    void evaluates_several_versions_by_the_oldest() {
        assertThat(VersionSupport.of(List.of("9.4.3", "8.19.0")).level()).isEqualTo(Level.REFUSED);
        assertThat(VersionSupport.of(List.of("9.4.3", "9.1.0")).sentence())
                .startsWith("the nodes of Elasticsearch have different versions: 9.1.0, 9.4.3; finish the update");
        assertThat(VersionSupport.of(List.of("9.4.3", "9.4.3")).level()).isEqualTo(Level.SUPPORTED);
        assertThat(VersionSupport.anyRefusesExcludeVectors(List.of("9.4.3", "9.1.0")))
                .isTrue();
    }

    @Test
    void needs_a_version() {
        assertThatThrownBy(() -> VersionSupport.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
