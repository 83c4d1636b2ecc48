package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the checks with the defects in {@code defects.yaml}. Each defect names the check that must find it. */
class DefectsTest {

    private static final Manifests SOUND = Kustomization.build(Project.manifests("overlays/prod"));
    private static final Checks CHECKS = new Checks();

    /** The problems that each check finds in the manifests without a defect. */
    private static final Map<String, List<String>> BEFORE = new HashMap<>();

    static Stream<Arguments> defects() {
        return Yaml.documents(Project.resource("defects.yaml"))
                .getFirst()
                .valueStream()
                .map(defect -> Arguments.of(
                        defect.path("check").asText(), defect.path("defect").asText(), defect));
    }

    /** Returns a copy of the manifests in which one manifest has the defect. */
    private static Manifests with(JsonNode defect) {
        List<Manifest> all = new ArrayList<>(SOUND.all());
        int found = 0;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).toString().equals(defect.path("of").asText())) {
                JsonNode patched =
                        JsonPatch.apply(defect.path("patch"), all.get(i).json());
                all.set(i, new Manifest((ObjectNode) patched));
                found++;
            }
        }
        assertThat(found).as("number of manifests to patch").isEqualTo(1);
        return new Manifests(all);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("defects")
    void a_defect_is_found(String check, String description, JsonNode defect) {
        Check requirement = Objects.requireNonNull(CHECKS.all().get(check));

        List<String> problems = requirement.problems(with(defect));

        assertThat(BEFORE.computeIfAbsent(check, name -> requirement.problems(SOUND)))
                .as("problems without the defect")
                .isEmpty();
        assertThat(problems)
                .as(description)
                .anySatisfy(problem ->
                        assertThat(problem).contains(defect.path("message").asText()));
    }

    @Test
    void every_check_has_at_least_one_defect() {
        assertThat(defects().map(defect -> (String) defect.get()[0]).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(CHECKS.all().keySet());
    }
}
