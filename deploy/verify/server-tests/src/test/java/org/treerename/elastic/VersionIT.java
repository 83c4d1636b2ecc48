package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that the tests of the stores run with a supported version of Elasticsearch. Child processes must have the
 * selected version; other servers may have any supported version.
 */
class VersionIT {

    @Test
    void the_server_has_the_selected_version_and_the_version_is_supported() {
        Set<String> versions = RealElastic.ELASTIC.readVersions();

        assertThat(VersionSupport.of(versions).level()).isEqualTo(VersionSupport.Level.SUPPORTED);
        if (System.getProperty("stack", "local").equals("local")) {
            assertThat(versions).containsExactly(System.getProperty("elasticsearch.version", VersionSupport.TESTED));
        }
    }
}
