package org.treerename.elastic;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.treerename.elastic.ServerProbe.Node;
import org.treerename.elastic.ServerProbe.Seen;

/**
 * Detects an address of Elasticsearch that leads to several nodes. The result depends only on the answers from this
 * address.
 */
public final class NodeAddress {

    private static final List<String> CLOUD_HEADERS =
            List.of("x-found-handling-cluster", "x-found-handling-instance", "x-cloud-request-id");

    private static final String MEANING = ": if a node is cut off from the other nodes, a rename may miss documents at"
            + " its source or at its destination; all other guarantees hold";

    /**
     * A problem with an address.
     *
     * @param what the problem and its consequence
     * @param mend the action that corrects the problem
     */
    public record Problem(String what, String mend) {

        /** Returns the problem as one sentence. */
        public String sentence() {
            return what + "; " + mend;
        }
    }

    private NodeAddress() {}

    /**
     * Returns the problem if an address leads to several nodes; empty if the answers show no problem.
     *
     * @param answers the answers to several requests, each over a new connection
     */
    public static Optional<Problem> problem(URI url, List<Seen> answers) {
        Optional<String> cloud = answers.stream()
                .flatMap(answer -> answer.headers().keySet().stream())
                .filter(CLOUD_HEADERS::contains)
                .sorted()
                .findFirst();
        if (cloud.isPresent()) {
            return Optional.of(new Problem(
                    url + " is a proxy of Elastic Cloud (header " + cloud.get() + ")" + MEANING,
                    "use an Elasticsearch whose nodes have addresses of their own"));
        }
        List<Node> nodes =
                answers.stream().flatMap(answer -> answer.node().stream()).toList();
        Set<String> ids = nodes.stream().map(Node::id).collect(Collectors.toCollection(TreeSet::new));
        return ids.size() < 2
                ? Optional.empty()
                : Optional.of(new Problem(
                        url + " answers as " + ids.size() + " different nodes, so it is a load balancer" + MEANING,
                        "list the addresses of the nodes in --elasticsearch-url, separated by commas: "
                                + nodes.stream()
                                        .map(Node::publishAddress)
                                        .distinct()
                                        .sorted()
                                        .collect(Collectors.joining(", "))));
    }
}
