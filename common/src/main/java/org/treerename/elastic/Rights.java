package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.treerename.path.TreeProblem;
import org.treerename.store.RefusedException;

/** What this process may do where Elasticsearch's security is on. Any thread may call it. */
final class Rights {

    private final Elastic elastic;

    Rights(Elastic elastic) {
        this.elastic = elastic;
    }

    /** What it may not, of these privileges on these indices or aliases; empty where security is off. */
    List<TreeProblem> missing(List<String> names, List<String> privileges) {
        ObjectNode body = Json.object();
        ObjectNode asked = body.putArray("index").addObject();
        names.forEach(asked.putArray("names")::add);
        privileges.forEach(asked.putArray("privileges")::add);
        JsonNode has;
        try {
            has = elastic.post("/_security/user/_has_privileges", body).json().path("index");
        } catch (RefusedException e) {
            // an Elasticsearch without security has no such request
            return List.of();
        }
        List<TreeProblem> problems = new ArrayList<>();
        for (String name : names) {
            List<String> missing = privileges.stream()
                    .filter(privilege -> has.path(name).has(privilege)
                            && !has.path(name).path(privilege).asBoolean())
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
