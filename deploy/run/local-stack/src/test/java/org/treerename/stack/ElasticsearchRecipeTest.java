package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticsearchRecipeTest {

    private static final List<String> DEFAULTS =
            List.of("# a comment", "-XX:+UseG1GC", "-Xlog:gc*:file=gc.log", "-Da=b");

    private final ElasticsearchSettings settings =
            ElasticsearchSettings.in(Path.of("folder")).withHeap("512m");

    @Test
    void keeps_the_default_options_except_the_garbage_collection_log() {
        assertThat(recipe(settings).jvmOptions(DEFAULTS))
                .containsExactly("# a comment", "-XX:+UseG1GC", "-Da=b", "-Xms512m", "-Xmx512m");
    }

    @Test
    void replaces_the_default_garbage_collector_for_a_short_lived_server() {
        assertThat(recipe(settings.shortLived()).jvmOptions(DEFAULTS))
                .containsExactly(
                        "# a comment", "-Da=b", "-Xms512m", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    private static ElasticsearchRecipe recipe(ElasticsearchSettings settings) {
        return new ElasticsearchRecipe(settings, Path.of("home"), List.of());
    }
}
