package org.treerename.benchmark;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Lists the facts on which the figures depend, for example the machine. If a fact has the same value in all results,
 * the list contains this value once. Otherwise the list contains the value of each result.
 */
final class Surroundings {

    private Surroundings() {}

    static String markdown(List<Result> results) {
        StringBuilder text = new StringBuilder();
        Set<String> names = new LinkedHashSet<>();
        results.forEach(result -> names.addAll(result.surroundings().keySet()));
        for (String name : names) {
            List<String> values = results.stream()
                    .map(result -> result.surroundings().getOrDefault(name, ""))
                    .distinct()
                    .toList();
            if (values.size() == 1) {
                text.append("* ")
                        .append(name)
                        .append(": ")
                        .append(values.getFirst())
                        .append('\n');
                continue;
            }
            text.append("* ").append(name).append(":\n");
            for (Result result : results) {
                String value = result.surroundings().getOrDefault(name, "");
                if (!value.isEmpty()) {
                    text.append("    * ")
                            .append(result.name())
                            .append(": ")
                            .append(value)
                            .append('\n');
                }
            }
        }
        return text.toString();
    }
}
