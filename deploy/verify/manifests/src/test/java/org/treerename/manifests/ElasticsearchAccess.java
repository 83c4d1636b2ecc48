package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Requires that the URLs of the services contain every node of Elasticsearch, with the name of the node in the
 * certificate. The role of the services must have exactly the rights in security.md to the control index and to the
 * index of each namespace.
 */
final class ElasticsearchAccess implements Check {

    private static final Pattern ROLE = Pattern.compile("(?s)```json\n(\\{ \"indices\".*?)```");
    private static final String CONTROL = "tree-rename-control";

    private final JsonNode roles;

    ElasticsearchAccess(JsonNode roles) {
        this.roles = roles;
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest elasticsearch : built.of("Elasticsearch")) {
            String version = elasticsearch.text("/spec/version");
            if (!Yaml.text(Project.file("pom.xml")).contains("<elasticsearch.server.version>" + version + "<")) {
                problems.add(elasticsearch + " has the version " + version + ", which the tests do not use");
            }
            addresses(elasticsearch, built, problems);
            role(built, problems);
        }
        return problems;
    }

    private static void addresses(Manifest elasticsearch, Manifests built, List<String> problems) {
        Set<String> certified = elasticsearch.list("/spec/http/tls/selfSignedCertificate/subjectAltNames").stream()
                .map(name -> name.path("dns").asText())
                .collect(Collectors.toSet());
        JsonNode nodes = elasticsearch.at("/spec/nodeSets/0");
        for (Manifest deployment : Services.deployments(built)) {
            String set = elasticsearch.name() + "-es-" + nodes.path("name").asText();
            Set<String> expected = IntStream.range(0, nodes.path("count").asInt())
                    .mapToObj(node ->
                            set + "-" + node + "." + set + "." + deployment.text("/metadata/namespace") + ".svc")
                    .collect(Collectors.toCollection(TreeSet::new));
            String urls = Services.environment(deployment, built).getOrDefault("ELASTICSEARCH_URL", "");
            Set<String> configured = new TreeSet<>();
            for (String url : urls.split(",", -1)) {
                URI address = URI.create(url);
                configured.add(String.valueOf(address.getHost()));
                if (!url.startsWith("https://") || address.getPort() != 9200) {
                    problems.add(deployment + ": expected an https URL with port 9200, found " + url);
                }
            }
            if (!configured.equals(expected)) {
                problems.add(deployment + ": expected the Elasticsearch nodes " + expected + ", found " + configured);
            }
            if (!certified.containsAll(expected)) {
                problems.add(elasticsearch + ": its certificate does not contain all of " + expected);
            }
        }
    }

    private void role(Manifests built, List<String> problems) {
        JsonNode documented;
        try {
            documented = new ObjectMapper()
                    .readTree(ROLE.matcher(Project.page("deploy/docs/security.md"))
                            .results()
                            .map(found -> found.group(1))
                            .findFirst()
                            .orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Set<String> control = privileges(documented, index -> index.equals(CONTROL));
        Set<String> trees = privileges(documented, index -> !index.equals(CONTROL));
        JsonNode own = roles.path("tree-rename");
        if (!privileges(own, index -> index.equals(CONTROL)).equals(control)) {
            problems.add("the role's rights to the control index differ from security.md: " + control);
        }
        Set<String> namespaces = built.find("ConfigMap", "tree-rename-namespaces").stream()
                .flatMap(map -> Yaml.parse(map.at("/data/namespaces.yaml").asText())
                        .path("namespaces")
                        .valueStream())
                .map(namespace -> namespace.path("index").asText())
                .collect(Collectors.toSet());
        for (String index : namespaces) {
            if (!privileges(own, index::equals).equals(trees)) {
                problems.add("the role's rights to " + index + " differ from security.md: " + trees);
            }
        }
        Set<String> known = own.path("indices")
                .valueStream()
                .flatMap(rights -> rights.path("names").valueStream())
                .map(JsonNode::asText)
                .filter(name -> !name.equals(CONTROL) && !namespaces.contains(name))
                .collect(Collectors.toSet());
        known.forEach(
                name -> problems.add("the role has rights to " + name + ", which is not the index of a namespace"));
        if (own.properties().size() != 1) {
            problems.add("the role has rights to more than indices");
        }
    }

    private static Set<String> privileges(JsonNode role, Predicate<String> index) {
        return role.path("indices")
                .valueStream()
                .filter(rights ->
                        rights.path("names").valueStream().map(JsonNode::asText).anyMatch(index))
                .flatMap(rights -> rights.path("privileges").valueStream())
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
