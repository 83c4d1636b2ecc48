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

    private static final Pattern SWITCH = Pattern.compile("(?m)^ +(\\w+) = TRUE");

    @Test
    void a_configuration_names_its_model_before_the_first_dash() {
        assertThat(DOOR.model()).isEqualTo("Door");
    }

    @Test
    void a_guard_is_a_switch_that_says_what_breaks_without_it() {
        assertThat(DOOR.guards())
                .containsExactly(new Guard("Locked", "NobodyInside", Map.of("People", "3", "Keys", "1")));
    }

    @Test
    void without_a_guard_its_switch_is_off_and_the_world_is_what_the_guard_needs() {
        Configuration weakened = DOOR.without(DOOR.guards().getFirst());

        assertThat(weakened.name()).isEqualTo("Door-small-without-Locked");
        assertThat(weakened.text())
                .contains("  Locked = FALSE\n", "  People = 3\n", "  Keys = 1\n", "  Painted = TRUE\n");
    }

    @Test
    void a_guard_that_needs_a_constant_that_is_not_there_is_refused() {
        Guard guard = new Guard("Locked", "NobodyInside", Map.of("Windows", "1"));

        assertThatThrownBy(() -> DOOR.without(guard)).hasMessageContaining("Windows");
    }

    @Test
    void every_switch_of_a_small_model_is_a_guard_in_one_of_its_configurations() {
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
    void an_action_has_the_name_of_the_method_that_takes_the_step() {
        List<String> missing = Stream.of("Attempts", "SharedLocks", "Janitors", "LateWrites", "Claims", "Readers")
                .flatMap(model -> words(
                        Pattern.compile("(?m)^([A-Z]\\w+_\\w+)(?:\\(\\w+(?:, \\w+)*\\))? =="),
                        Configuration.resource(model + ".tla"))
                        .stream())
                .filter(action -> !isAround(action))
                .filter(action ->
                        !isMethod(action.substring(0, action.indexOf('_')), action.substring(action.indexOf('_') + 1)))
                .toList();

        assertThat(missing).isEmpty();
    }

    /** What happens around the services. */
    private static boolean isAround(String action) {
        return Stream.of("Elasticsearch_", "Kafka_", "Process_", "Other_").anyMatch(action::startsWith);
    }

    private static boolean isMethod(String type, String method) {
        return Stream.of("rename", "process", "lock")
                .map(room -> "org.treerename." + room + "." + type)
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
