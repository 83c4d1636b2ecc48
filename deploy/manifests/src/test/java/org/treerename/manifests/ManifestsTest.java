package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ManifestsTest {

    /** The overlays, and the base with each component that no overlay has. */
    static Stream<Path> folders() {
        return Stream.of(
                Project.manifests("overlays/dev"),
                Project.manifests("overlays/prod"),
                Project.resource("base-with-autoscaling"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void what_is_built_is_as_it_must_be(Path folder) {
        Manifests built = Kustomization.build(folder);

        List<String> problems = new Checks().problems(built);

        assertThat(built.of("Deployment")).hasSize(3);
        assertThat(problems).isEmpty();
    }
}
