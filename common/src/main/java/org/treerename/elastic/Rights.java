package org.treerename.elastic;

import co.elastic.clients.elasticsearch.security.ClusterPrivilege;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Checks the privileges of this process in Elasticsearch. Any thread may call this class.
 *
 * <p>A role may hide fields ({@code field_security}) or documents ({@code query}) of an index. If a process with such a
 * role moved a document, the hidden fields would be lost, because a move writes the whole document that was read. No
 * privilege that a process can ask for shows such a role. But Elasticsearch refuses each update of a document under
 * such a role, before it searches for the document. So an update of a document that does not exist shows whether the
 * process sees the whole index, and writes nothing.
 */
final class Rights {

    private static final String FORBIDDEN = "security_exception";

    private static final String UNAUTHORIZED = "is unauthorized";

    /** The answer to a request about privileges if security is off. */
    private static final String NO_SUCH_PATH = "no handler found";

    private final Elastic elastic;

    /** Whether the security of Elasticsearch is on; null if this is not known yet. */
    private volatile @Nullable Boolean secured;

    Rights(Elastic elastic) {
        this.elastic = elastic;
    }

    /**
     * Returns one problem for each index or alias on which this process lacks a privilege; empty if security is off.
     */
    List<TreeProblem> missing(List<String> names, List<String> privileges) {
        if (!isSecured()) {
            return List.of();
        }
        Map<String, Map<String, Boolean>> granted = elastic.ask(client -> client.security()
                        .hasPrivileges(h -> h.index(index -> index.names(names).privileges(privileges))))
                .index();
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

    /**
     * Returns whether the security of Elasticsearch is on. Only a restart of all nodes switches it on or off, so the
     * answer is remembered.
     */
    boolean isSecured() {
        Boolean known = secured;
        if (known == null) {
            known = readSecured();
            secured = known;
        }
        return known;
    }

    private boolean readSecured() {
        try {
            var unused =
                    elastic.ask(client -> client.security().hasPrivileges(h -> h.cluster(ClusterPrivilege.Monitor)));
            return true;
        } catch (RefusedException e) {
            if (String.valueOf(e.getMessage()).contains(NO_SUCH_PATH)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Returns one problem for each index whose fields or documents are hidden from this process. A process without the
     * right to write sees no problem, because it moves no document.
     *
     * @throws NoAnswerException if it is unknown whether something is hidden
     */
    List<TreeProblem> hiding(Collection<String> indices) {
        List<TreeProblem> problems = new ArrayList<>();
        updates(indices).forEach((index, item) -> {
            if (item.status() == 400 && item.errorType().equals(FORBIDDEN)) {
                problems.add(hidden(index));
            } else if (!item.isOk() && !item.isMissing() && !item.reason().contains(UNAUTHORIZED)) {
                throw item.failure();
            }
        });
        return problems;
    }

    private static TreeProblem hidden(String index) {
        return TreeProblem.lasting(
                "the role of this process hides fields or documents of " + index
                        + ", so a moved document would lose its hidden fields",
                "remove field_security and query from the role of the user or API key");
    }

    /**
     * Checks that this process sees all fields of all documents of these indices.
     *
     * @throws RefusedException if fields or documents are hidden
     */
    void requireWhole(Collection<String> indices) {
        hiding(indices).stream().findFirst().ifPresent(problem -> {
            throw new RefusedException(problem.toString());
        });
    }

    /** Returns the result of the update of a missing document, by index; empty if security is off. */
    private Map<String, Bulk.Item> updates(Collection<String> indices) {
        if (indices.isEmpty() || !isSecured()) {
            return Map.of();
        }
        Bulk bulk = new Bulk();
        indices.forEach(bulk::updateNothing);
        Iterator<Bulk.Item> items;
        try {
            items = bulk.send(elastic, TreeBulks.BULK).iterator();
        } catch (RefusedException e) {
            if (String.valueOf(e.getMessage()).contains(UNAUTHORIZED)) {
                return Map.of();
            }
            throw e;
        }
        Map<String, Bulk.Item> byIndex = new LinkedHashMap<>();
        indices.forEach(index -> byIndex.put(index, items.next()));
        return byIndex;
    }
}
