package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Builds the ConfigMaps of a {@code configMapGenerator}. The data is in plain files ({@code files}) and in env files
 * ({@code envs}). An env file contains one {@code NAME=VALUE} in each line. A generated ConfigMap is new, or extends an
 * existing ConfigMap of the same name. {@code kubectl kustomize} adds a hash to the names of ConfigMaps and to the
 * references to these names. This class adds no hash, because the checks find ConfigMaps by name.
 */
final class GeneratedMaps {

    private static final Set<String> KNOWN = Set.of("name", "behavior", "envs", "files", "options");
    private static final Set<String> OPTIONS = Set.of("disableNameSuffixHash", "labels");

    private final List<ObjectNode> built;
    private final Path folder;

    /**
     * @param built the existing objects; this class adds ConfigMaps to the list
     * @param folder the folder of the kustomization
     */
    GeneratedMaps(List<ObjectNode> built, Path folder) {
        this.built = built;
        this.folder = folder;
    }

    void add(JsonNode generator) {
        Kustomization.requireKnown(generator, KNOWN, folder);
        Kustomization.requireKnown(generator.path("options"), OPTIONS, folder);
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        generator.path("envs").forEach(file -> addLines(folder.resolve(file.asText()), data));
        generator.path("files").forEach(file -> addFile(file.asText(), data));
        String name = generator.path("name").asText();
        boolean isThere = built.stream().anyMatch(object -> new Manifest(object).is("ConfigMap", name));
        switch (generator.path("behavior").asText("create")) {
            case "create" -> {
                if (isThere) {
                    throw new IllegalArgumentException("the ConfigMap " + name + " of " + folder + " exists already");
                }
                built.add(map(name, data, generator.at("/options/labels")));
            }
            case "merge" -> {
                if (!isThere) {
                    throw new IllegalArgumentException("there is no ConfigMap " + name + " to merge in " + folder);
                }
                built.stream()
                        .filter(object -> new Manifest(object).is("ConfigMap", name))
                        .forEach(object -> object.withObject("/data").setAll(data));
            }
            default -> throw new IllegalArgumentException("the behavior of " + name + " is not supported");
        }
    }

    private static ObjectNode map(String name, ObjectNode data, JsonNode labels) {
        ObjectNode map =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        map.set("data", data);
        ObjectNode metadata = map.putObject("metadata").put("name", name);
        if (labels.isObject()) {
            metadata.set("labels", labels);
        }
        return map;
    }

    private static void addLines(Path file, ObjectNode data) {
        Yaml.text(file)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    String[] both = line.split("=", 2);
                    if (both.length != 2) {
                        throw new IllegalArgumentException("expected NAME=VALUE in " + file + ", found " + line);
                    }
                    data.put(both[0], both[1]);
                });
    }

    /**
     * Adds the text of a file to the data. {@code named} has the format {@code FILE} or {@code KEY=FILE}. Kustomize
     * reads only files below the folder of the kustomization.
     */
    private void addFile(String named, ObjectNode data) {
        String[] both = named.split("=", 2);
        Path file = folder.resolve(both[both.length - 1]).normalize();
        if (!file.startsWith(folder.normalize())) {
            throw new IllegalArgumentException(file + " is not below " + folder + ", so Kustomize does not read it");
        }
        data.put(both.length == 2 ? both[0] : file.getFileName().toString(), Yaml.text(file));
    }
}
