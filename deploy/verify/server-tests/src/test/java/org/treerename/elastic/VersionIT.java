package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that the tests of the stores run with the selected version of Elasticsearch. */
class VersionIT {

    @Test
    void the_server_has_the_selected_version_and_the_version_is_supported() {
        String selected = System.getProperty("elasticsearch.version", VersionSupport.TESTED);

        Set<String> versions = RealElastic.ELASTIC.readVersions();

        assertThat(versions)
                .as("the version that -Delasticsearch.version selects")
                .containsExactly(selected);
        assertThat(VersionSupport.of(versions).sentence()).isEqualTo("Elasticsearch " + selected + " is supported");
    }
}
