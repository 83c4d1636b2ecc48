package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.RefusedException;

/** Checks the privileges of this process in Elasticsearch. Any thread may call this class. */
final class Rights {

    private final Elastic elastic;

    Rights(Elastic elastic) {
        this.elastic = elastic;
    }

    /** Returns the problems for those privileges on these indices or aliases that this process lacks; empty if security is off. */
    List<TreeProblem> missing(List<String> names, List<String> privileges) {
        ObjectNode body = Json.object();
        ObjectNode wanted = body.putArray("index").addObject();
        names.forEach(wanted.putArray("names")::add);
        privileges.forEach(wanted.putArray("privileges")::add);
        JsonNode granted;
        try {
            granted =
                    elastic.post("/_security/user/_has_privileges", body).json().path("index");
        } catch (RefusedException e) {
            // Elasticsearch without security does not know this request
            return List.of();
        }
        List<TreeProblem> problems = new ArrayList<>();
        for (String name : names) {
            List<String> missing = privileges.stream()
                    .filter(privilege -> granted.path(name).has(privilege)
                            && !granted.path(name).path(privilege).asBoolean())
                    .toList();
            if (!missing.isEmpty()) {
                problems.add(TreeProblem.lasting(
                        "the user or API key of this process lacks " + String.join(", ", missing) + " on " + name,
                        "grant " + String.join(", ", privileges) + " on it"));
            }
        }
        return problems;
    }
}
