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
 * What is named is there: accounts, maps and their keys, the files that settings name; and each Secret, of which none is kept here, is in
 * the table of the page with the keys that are taken from it.
 */
final class References implements Check {

    private static final String PAGE = "deploy/docs/kubernetes.md";
    private static final String FILES = "/etc/tree-rename/";
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\| ((?:`[A-Za-z.]+`(?:, )?)+) \\|.*");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** By their names, with their keys. */
    private final Map<String, Set<String>> secrets;

    References() {
        this.secrets = Project.page(PAGE)
                .lines()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> QUOTED.matcher(row.group(2))
                                .results()
                                .map(key -> key.group(1))
                                .collect(Collectors.toSet())));
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        built.of("Secret").forEach(secret -> problems.add(secret + " is kept here"));
        Map<String, Set<String>> taken = new TreeMap<>();
        for (Manifest deployment : Services.deployments(built)) {
            String account = deployment.text("/spec/template/spec/serviceAccountName");
            if (built.find("ServiceAccount", account).isEmpty()) {
                problems.add(deployment + ": there is no ServiceAccount " + account);
            }
            Set<String> mounted = mounted(deployment, built, taken, problems);
            try {
                Services.environment(deployment, built).forEach((setting, value) -> {
                    if (value.startsWith(FILES) && !mounted.contains(value)) {
                        problems.add(deployment + ": " + setting + " names " + value + ", which no volume has");
                    }
                });
            } catch (IllegalArgumentException e) {
                problems.add(deployment + ": " + e.getMessage());
            }
        }
        for (Manifest map : built.of("ConfigMap")) {
            if (Services.deployments(built).stream().noneMatch(deployment -> takes(deployment.json(), map.name()))) {
                problems.add("nothing takes the " + map);
            }
        }
        for (Manifest elasticsearch : built.of("Elasticsearch")) {
            Stream.of("fileRealm", "roles")
                    .flatMap(which -> elasticsearch.at("/spec/auth/" + which).valueStream())
                    .forEach(reference ->
                            taken.computeIfAbsent(reference.path("secretName").asText(), name -> new TreeSet<>()));
        }
        taken.forEach((name, keys) -> {
            Set<String> told = secrets.getOrDefault(name, Set.of());
            if (!secrets.containsKey(name)) {
                problems.add(PAGE + " does not name the Secret " + name);
            } else if (!told.containsAll(keys)) {
                problems.add(PAGE + " names the keys " + told + " of the Secret " + name + ", used are " + keys);
            }
        });
        secrets.keySet().stream()
                .filter(name -> !taken.containsKey(name))
                .forEach(name -> problems.add("nothing uses the Secret " + name + " of " + PAGE));
        return problems;
    }

    /** Whether a map is named anywhere in it. */
    private static boolean takes(JsonNode node, String map) {
        return Stream.of("configMap", "configMapRef")
                .flatMap(which -> node.findValues(which).stream())
                .anyMatch(reference -> reference.path("name").asText().equals(map));
    }

    /** The files that a container sees; the Secrets that they are from are added to those taken. */
    private static Set<String> mounted(
            Manifest deployment, Manifests built, Map<String, Set<String>> taken, List<String> problems) {
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
                Set<String> keys = keys(deployment, source, built, taken, problems);
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
            Map<String, Set<String>> taken,
            List<String> problems) {
        Set<String> keys = new TreeSet<>();
        if (source.has("secret")) {
            JsonNode secret = source.path("secret");
            String name = secret.path("secretName").asText(secret.path("name").asText());
            secret.path("items").forEach(item -> {
                keys.add(item.path("path").asText());
                taken.computeIfAbsent(name, some -> new TreeSet<>())
                        .add(item.path("key").asText());
            });
            if (keys.isEmpty()) {
                problems.add(deployment + " takes all of the Secret " + name);
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
