package org.treerename.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.RefusedException;

/** Checks the privileges of this process in Elasticsearch. Any thread may call this class. */
final class Rights {

    private final Elastic elastic;

    Rights(Elastic elastic) {
        this.elastic = elastic;
    }

    /**
     * Returns one problem for each index or alias on which this process lacks a privilege; empty if security is off.
     */
    List<TreeProblem> missing(List<String> names, List<String> privileges) {
        Map<String, Map<String, Boolean>> granted;
        try {
            granted = elastic.ask(client -> client.security()
                            .hasPrivileges(
                                    h -> h.index(index -> index.names(names).privileges(privileges))))
                    .index();
        } catch (RefusedException e) {
            // Elasticsearch refuses this request if security is off
            return List.of();
        }
        List<TreeProblem> problems = new ArrayList<>();
        for (String name : names) {
            List<String> missing = privileges.stream()
                    .filter(privilege -> Boolean.FALSE.equals(
                            granted.getOrDefault(name, Map.of()).get(privilege)))
                    .toList();
            if (!missing.isEmpty()) {
                problems.add(TreeProblem.lasting(
                        "the user or API key of this process lacks " + String.join(", ", missing) + " on " + name,
                        "grant " + String.join(", ", privileges) + " on " + name));
            }
        }
        return problems;
    }
}
