package org.treerename.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

    private static final Configuration DOOR = new Configuration("Door-small", """
            CONSTANTS
              People = 2
              Locked = TRUE  \\* FALSE breaks NobodyInside with People = 3, Keys = 1
              Keys = 0
              Painted = TRUE
            INVARIANT NobodyInside
            """);

    private static final Pattern SWITCH = Pattern.compile("(?m)^ +(\\w+) *= *TRUE");

    @Test
    void the_name_of_the_model_ends_at_the_first_dash() {
        assertThat(DOOR.model()).isEqualTo("Door");
    }

    @Test
    void a_guard_is_a_switch_whose_comment_names_the_property_that_breaks() {
        assertThat(DOOR.guards())
                .containsExactly(new Guard("Locked", "NobodyInside", Map.of("People", "3", "Keys", "1")));
    }

    @Test
    void a_configuration_without_a_guard_has_its_switch_off_and_its_other_constants_set() {
        Configuration weakened = DOOR.without(DOOR.guards().getFirst());

        assertThat(weakened.name()).isEqualTo("Door-small-without-Locked");
        assertThat(weakened.text())
                .contains("  Locked = FALSE\n", "  People = 3\n", "  Keys = 1\n", "  Painted = TRUE\n");
    }

    @Test
    void a_guard_with_an_unknown_constant_is_refused() {
        Guard guard = new Guard("Locked", "NobodyInside", Map.of("Windows", "1"));

        assertThatThrownBy(() -> DOOR.without(guard)).hasMessageContaining("Windows");
    }

    @Test
    void every_switch_of_a_small_model_is_a_guard_in_one_configuration() {
        for (String model : Configuration.small().stream()
                .map(Configuration::model)
                .distinct()
                .toList()) {
            List<Configuration> all = Configuration.small().stream()
                    .filter(configuration -> configuration.model().equals(model))
                    .toList();
            Set<String> guards = new TreeSet<>();
            Set<String> switches = new TreeSet<>();
            for (Configuration configuration : all) {
                configuration.guards().forEach(guard -> guards.add(guard.constant()));
                switches.addAll(words(SWITCH, configuration.text()));
            }
            assertThat(guards).describedAs(model).isEqualTo(switches);
        }
    }

    private static Set<String> words(Pattern pattern, String text) {
        Set<String> words = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group(1));
        }
        return words;
    }

    @Test
    void an_action_has_the_name_of_the_method_that_does_the_step() {
        List<String> missing = Stream.of("Attempts", "SharedLocks", "Janitors", "LateWrites", "Claims", "Readers")
                .flatMap(model -> words(
                        Pattern.compile("(?m)^([A-Z]\\w+_\\w+)(?:\\(\\w+(?:, \\w+)*\\))? =="),
                        Configuration.resource(model + ".tla"))
                        .stream())
                .filter(action -> !isOfEnvironment(action))
                .filter(action ->
                        !isMethod(action.substring(0, action.indexOf('_')), action.substring(action.indexOf('_') + 1)))
                .toList();

        assertThat(missing).isEmpty();
    }

    /** Returns whether an action describes an event outside the services. An action of this kind has no Java method. */
    private static boolean isOfEnvironment(String action) {
        return Stream.of("Elasticsearch_", "Kafka_", "Process_", "Other_").anyMatch(action::startsWith);
    }

    private static boolean isMethod(String type, String method) {
        return Stream.of("rename", "journal", "tree", "process", "lock", "worker", "janitor.recovery")
                .map(subpackage -> "org.treerename." + subpackage + "." + type)
                .anyMatch(name -> {
                    try {
                        return Arrays.stream(Class.forName(name).getDeclaredMethods())
                                .anyMatch(declared -> declared.getName().equals(method));
                    } catch (ClassNotFoundException e) {
                        return false;
                    }
                });
    }
}
