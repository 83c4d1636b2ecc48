package org.treerename.janitor.doctor;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.treerename.elastic.NodeAddress;
import org.treerename.elastic.ServerProbe.Clock;
import org.treerename.elastic.ServerProbe.Copies;
import org.treerename.elastic.ServerProbe.Node;
import org.treerename.elastic.ServerProbe.Seen;
import org.treerename.elastic.VersionSupport;

/** Checks the version, the addresses, the clocks and the shard copies of Elasticsearch, and returns findings. */
final class ElasticsearchFindings {

    static final String VERSION = "elasticsearch version";
    static final String ADDRESS = "elasticsearch address";
    static final String CLOCK = "clock";

    /** The largest difference between the clock of a node and the clock of this machine that causes no warning. */
    private static final Duration LARGEST_DIFFERENCE = Duration.ofSeconds(5);

    private static final String GRANT_MONITOR =
            "give the user of this command the cluster privilege monitor; the services do not need it";

    /** HTTP headers that a proxy or a load balancer adds to an answer. Elasticsearch does not send these headers. */
    private static final List<String> PROXY_HEADERS = List.of("via", "server", "x-envoy-upstream-service-time");

    private ElasticsearchFindings() {}

    /**
     * Returns ok if the versions of all nodes are supported. Returns a warning if a version is not tested, or if no
     * version can be read. Returns an error if workers, janitors and gateways refuse a version.
     */
    static Finding versions(Set<String> versions) {
        if (versions.isEmpty()) {
            return Finding.warning(VERSION, "the version of Elasticsearch cannot be read", GRANT_MONITOR);
        }
        VersionSupport support = VersionSupport.of(versions);
        return switch (support.level()) {
            case SUPPORTED -> Finding.ok(VERSION, support.what());
            case UNTESTED -> Finding.warning(VERSION, support.what(), support.mend());
            case REFUSED ->
                Finding.error(
                        VERSION, support.what() + ", so workers, janitors and gateways do not start", support.mend());
        };
    }

    /**
     * Returns an error if the server is not Elasticsearch. Also returns an error for Elasticsearch Serverless, because
     * its nodes have no addresses.
     */
    static List<Finding> kind(String flavor, String distribution) {
        if (!distribution.isEmpty() && !distribution.equals("elasticsearch")) {
            return List.of(Finding.error(
                    VERSION,
                    "the server is " + distribution + ", not Elasticsearch",
                    "use Elasticsearch " + VersionSupport.SUPPORTED));
        }
        return flavor.equals("serverless")
                ? List.of(Finding.error(
                        VERSION,
                        "the server is Elasticsearch Serverless, which has one address for all nodes, so a rename may"
                                + " miss documents",
                        "use an Elasticsearch whose nodes have addresses of their own"))
                : List.of();
    }

    /**
     * Returns ok if the address is the published address of one node. Returns an error if several nodes answer at the
     * address. Returns a warning if a proxy or a load balancer may be between this machine and the node.
     *
     * @param answers the answers to several requests, each over a new connection
     */
    static Finding address(URI url, List<Seen> answers) {
        Optional<NodeAddress.Problem> several = NodeAddress.problem(url, answers);
        if (several.isPresent()) {
            return Finding.error(ADDRESS, several.get().what(), several.get().mend());
        }
        List<Node> nodes =
                answers.stream().flatMap(answer -> answer.node().stream()).toList();
        Set<String> headers = new TreeSet<>();
        answers.forEach(answer -> headers.addAll(answer.headers().keySet()));
        List<String> proxy = PROXY_HEADERS.stream().filter(headers::contains).toList();
        if (!proxy.isEmpty()) {
            return Finding.warning(
                    ADDRESS,
                    url + " is probably a proxy (header " + proxy.getFirst() + "). If the proxy leads to several"
                            + " nodes, a rename may miss documents",
                    "use the address of a node");
        }
        if (nodes.isEmpty()) {
            return Finding.warning(
                    ADDRESS, "it is not known whether " + url + " is a node or a load balancer", GRANT_MONITOR);
        }
        Node node = nodes.getFirst();
        return isPublished(url, node.publishAddress())
                ? Finding.ok(ADDRESS, url + " is the node " + named(node))
                : Finding.warning(
                        ADDRESS,
                        url + " leads to the node " + named(node) + ", which publishes the address "
                                + node.publishAddress()
                                + ". If a load balancer or a proxy is between these two addresses, a rename may miss"
                                + " documents",
                        "use the address of the node. If only the port or the network address of the node is"
                                + " translated, ignore this warning");
    }

    private static String named(Node node) {
        return node.name().isEmpty() ? node.id() : node.name();
    }

    /**
     * Returns whether a URL has the host and the port that a node publishes.
     *
     * @param published {@code host:port}, or {@code host/ip:port}
     */
    static boolean isPublished(URI url, String published) {
        int colon = published.lastIndexOf(':');
        int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
        if (colon < 0 || !published.substring(colon + 1).equals(String.valueOf(port))) {
            return false;
        }
        List<String> names = Arrays.asList(published.substring(0, colon).split("/", 2));
        return names.contains(url.getHost())
                || addresses(url.getHost()).stream().anyMatch(names::contains);
    }

    private static List<String> addresses(String host) {
        List<String> addresses = new ArrayList<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                addresses.add(address.getHostAddress());
                addresses.add("[" + address.getHostAddress() + "]");
            }
        } catch (UnknownHostException e) {
            // the name service knows no address of the host, so the published address is compared only with the host
            // name
        }
        return addresses;
    }

    /**
     * Compares the clocks of the nodes with the clock of this machine.
     *
     * @param before the time of this machine before the request
     * @param after the time of this machine after the answer
     */
    static List<Finding> clocks(List<Clock> clocks, Instant before, Instant after) {
        if (clocks.isEmpty()) {
            return List.of(
                    Finding.warning(CLOCK, "the clocks of the nodes of Elasticsearch cannot be read", GRANT_MONITOR));
        }
        List<Finding> findings = new ArrayList<>();
        for (Clock clock : clocks) {
            Duration behind = Duration.between(clock.now(), before);
            Duration ahead = Duration.between(after, clock.now());
            boolean isBehind = behind.compareTo(ahead) > 0;
            Duration difference = isBehind ? behind : ahead;
            if (difference.compareTo(LARGEST_DIFFERENCE) > 0) {
                findings.add(Finding.warning(
                        CLOCK,
                        "the clock of the node " + clock.node() + " is " + difference.toSeconds() + " s "
                                + (isBehind ? "behind" : "ahead of") + " the clock of this machine. Locks and leases"
                                + " do not depend on clocks. But the programs show wrong ages and times of renames,"
                                + " and journal entries are deleted too early or too late",
                        "synchronise the clocks, for example with NTP"));
            }
        }
        return findings.isEmpty()
                ? List.of(Finding.ok(
                        CLOCK,
                        "the clocks of Elasticsearch differ from the clock of this machine by at most "
                                + LARGEST_DIFFERENCE.toSeconds() + " s"))
                : findings;
    }

    /**
     * Returns an error if a shard of the index has no started copy. Returns a warning if a shard has only one started
     * copy, or has fewer started copies than expected. Otherwise returns ok.
     */
    static Finding copies(String subject, String index, Copies copies) {
        if (copies.started() == 0) {
            return Finding.error(
                    subject,
                    "a shard of the index " + index + " has no started copy",
                    "repair the cluster: see GET /_cluster/allocation/explain");
        }
        String add = copies.expands()
                ? "add nodes; Elasticsearch then adds replicas by itself (index.auto_expand_replicas)"
                : "set index.number_of_replicas to 1 or more; Elasticsearch needs one more node than replicas";
        if (copies.started() == 1) {
            return Finding.warning(
                    subject,
                    "a shard of the index " + index + " has only one copy; if the disk of this copy fails, documents"
                            + " are lost",
                    copies.expected() > 1 ? "replicas are not assigned: repair the cluster, or add nodes" : add);
        }
        return copies.started() < copies.expected()
                ? Finding.warning(
                        subject,
                        "only " + copies.started() + " of " + copies.expected() + " copies of a shard of the index "
                                + index + " are started",
                        "wait until Elasticsearch has restored the copies, or repair the cluster")
                : Finding.ok(subject, "the index " + index + " has " + copies.started() + " copies of each document");
    }
}
