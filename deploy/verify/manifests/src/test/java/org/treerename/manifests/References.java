package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requires that all ServiceAccounts, ConfigMaps and volumes that a manifest names exist, and all files that a setting
 * names. The manifests must not contain Secrets. The tables in kubernetes.md must list each Secret that the manifests
 * use, with the keys that they use.
 */
final class References implements Check {

    private static final String PAGE = "deploy/docs/kubernetes.md";
    private static final String FILES = "/etc/tree-rename/";
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\| ((?:`[A-Za-z.]+`(?:, )?)+) \\|.*");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** The beginning of the table of the Secrets that the services need only with existing servers. */
    private static final String EXISTING = "| Secret for existing servers |";

    /** The keys that kubernetes.md lists for each Secret, by the name of the Secret. */
    private final Map<String, Set<String>> secrets;

    private final Set<String> ofExistingServers;

    References() {
        String page = Project.page(PAGE);
        this.secrets = documented(page);
        this.ofExistingServers =
                documented(page.substring(page.indexOf(EXISTING))).keySet();
    }

    private static Map<String, Set<String>> documented(String page) {
        return page.lines()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> QUOTED.matcher(row.group(2))
                                .results()
                                .map(key -> key.group(1))
                                .collect(Collectors.toSet())));
    }

    /**
     * Returns whether an overlay needs a Secret that kubernetes.md lists.
     *
     * @param hasServers whether the overlay runs its own Elasticsearch
     */
    private boolean isNeeded(String secret, boolean hasServers) {
        return hasServers != ofExistingServers.contains(secret);
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        built.of("Secret").forEach(secret -> problems.add(secret + " must not be among the manifests"));
        Map<String, Set<String>> used = new TreeMap<>();
        for (Manifest deployment : Services.deployments(built)) {
            String account = deployment.text("/spec/template/spec/serviceAccountName");
            if (built.find("ServiceAccount", account).isEmpty()) {
                problems.add(deployment + ": there is no ServiceAccount " + account);
            }
            Set<String> mounted = mounted(deployment, built, used, problems);
            try {
                Services.environment(deployment, built).forEach((setting, value) -> {
                    if (value.startsWith(FILES) && !mounted.contains(value)) {
                        problems.add(deployment + ": " + setting + " names " + value + ", which no volume contains");
                    }
                });
            } catch (IllegalArgumentException e) {
                problems.add(deployment + ": " + e.getMessage());
            }
        }
        for (Manifest map : built.of("ConfigMap")) {
            if (!map.at("/metadata/labels").has(DashboardMap.LABEL)
                    && Services.deployments(built).stream()
                            .noneMatch(deployment -> refersTo(deployment.json(), map.name()))) {
                problems.add("no Deployment uses the " + map);
            }
        }
        for (Manifest elasticsearch : built.of("Elasticsearch")) {
            Stream.of("fileRealm", "roles")
                    .flatMap(which -> elasticsearch.at("/spec/auth/" + which).valueStream())
                    .forEach(reference ->
                            used.computeIfAbsent(reference.path("secretName").asText(), name -> new TreeSet<>()));
        }
        used.forEach((name, keys) -> {
            Set<String> documented = secrets.getOrDefault(name, Set.of());
            if (!secrets.containsKey(name)) {
                problems.add(PAGE + " does not name the Secret " + name);
            } else if (!documented.containsAll(keys)) {
                problems.add(PAGE + " names the keys " + documented + " of the Secret " + name
                        + ", but the manifests use " + keys);
            }
        });
        boolean hasServers = !built.of("Elasticsearch").isEmpty();
        (hasServers ? secrets.keySet() : ofExistingServers)
                .stream()
                        .filter(name -> isNeeded(name, hasServers) && !used.containsKey(name))
                        .forEach(name -> problems.add("no manifest uses the Secret " + name + " of " + PAGE));
        return problems;
    }

    /** Returns whether a node contains a reference to the ConfigMap with this name. */
    private static boolean refersTo(JsonNode node, String map) {
        return Stream.of("configMap", "configMapRef")
                .flatMap(which -> node.findValues(which).stream())
                .anyMatch(reference -> reference.path("name").asText().equals(map));
    }

    /** Returns the files that a container mounts, and adds the Secrets and keys of these files to {@code used}. */
    private static Set<String> mounted(
            Manifest deployment, Manifests built, Map<String, Set<String>> used, List<String> problems) {
        Set<String> files = new TreeSet<>();
        Map<String, String> mounts = new TreeMap<>();
        deployment
                .container()
                .path("volumeMounts")
                .forEach(mount -> mounts.put(
                        mount.path("name").asText(), mount.path("mountPath").asText()));
        for (JsonNode volume : deployment.list("/spec/template/spec/volumes")) {
            String path = mounts.remove(volume.path("name").asText());
            if (path == null) {
                problems.add(deployment + " does not mount " + volume.path("name"));
            }
            Stream<JsonNode> sources =
                    volume.has("projected") ? volume.at("/projected/sources").valueStream() : Stream.of(volume);
            sources.forEach(source -> {
                Set<String> keys = keys(deployment, source, built, used, problems);
                keys.forEach(key -> files.add(path + "/" + key));
            });
        }
        mounts.keySet().forEach(name -> problems.add(deployment + " has no volume " + name));
        return files;
    }

    private static Set<String> keys(
            Manifest deployment,
            JsonNode source,
            Manifests built,
            Map<String, Set<String>> used,
            List<String> problems) {
        Set<String> keys = new TreeSet<>();
        if (source.has("secret")) {
            JsonNode secret = source.path("secret");
            String name = secret.path("secretName").asText(secret.path("name").asText());
            secret.path("items").forEach(item -> {
                keys.add(item.path("path").asText());
                used.computeIfAbsent(name, some -> new TreeSet<>())
                        .add(item.path("key").asText());
            });
            if (keys.isEmpty()) {
                problems.add(deployment + " mounts all keys of the Secret " + name);
            }
        } else if (source.has("configMap")) {
            String name = source.at("/configMap/name").asText();
            built.find("ConfigMap", name)
                    .ifPresentOrElse(
                            map -> map.at("/data").fieldNames().forEachRemaining(keys::add),
                            () -> problems.add(deployment + ": there is no ConfigMap " + name));
        }
        return keys;
    }
}
