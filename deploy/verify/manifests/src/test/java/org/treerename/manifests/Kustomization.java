package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Builds the manifests of a folder, as {@code kubectl kustomize} does. This class supports only the features that
 * {@code deploy/run/kubernetes} needs. It applies them in this order:
 *
 * <ul>
 *   <li>resources, components, and generated ConfigMaps;
 *   <li>patches of target objects: JSON 6902 patches, or merge patches without lists;
 *   <li>a namespace, labels, and images;
 *   <li>replacements that put a prefix before a value.
 * </ul>
 *
 * <p>This class refuses features that are not in the list, and patches that match no object.
 */
final class Kustomization {

    private static final Set<String> KNOWN = Set.of(
            "apiVersion",
            "kind",
            "resources",
            "components",
            "configMapGenerator",
            "patches",
            "namespace",
            "labels",
            "images",
            "replacements");

    /** The kinds of objects that do not belong to a namespace. */
    private static final Set<String> OF_THE_CLUSTER = Set.of("Namespace");

    private final List<ObjectNode> built = new ArrayList<>();

    private Kustomization() {}

    /**
     * Returns all manifests of an overlay.
     *
     * @param folder a folder with a kustomization.yaml
     */
    static Manifests build(Path folder) {
        Kustomization kustomization = new Kustomization();
        kustomization.add(folder);
        return new Manifests(kustomization.built.stream().map(Manifest::new).toList());
    }

    private void add(Path folder) {
        JsonNode steps = Yaml.documents(folder.resolve("kustomization.yaml")).getFirst();
        requireKnown(steps, KNOWN, folder);
        for (JsonNode resource : steps.path("resources")) {
            Path path = folder.resolve(resource.asText());
            if (Files.isDirectory(path)) {
                add(path);
            } else {
                Yaml.documents(path).forEach(document -> built.add(((ObjectNode) document)));
            }
        }
        steps.path("components").forEach(component -> add(folder.resolve(component.asText())));
        GeneratedMaps maps = new GeneratedMaps(built, folder);
        steps.path("configMapGenerator").forEach(maps::add);
        steps.path("patches").forEach(patch -> patch(patch, folder));
        if (steps.has("namespace")) {
            built.stream()
                    .filter(object ->
                            !OF_THE_CLUSTER.contains(object.path("kind").asText()))
                    .forEach(object -> object.withObject("/metadata").set("namespace", steps.path("namespace")));
        }
        steps.path("labels").forEach(labels -> label(labels, folder));
        steps.path("images").forEach(image -> tag(image, folder));
        steps.path("replacements").forEach(replacement -> replace(replacement, folder));
    }

    private void patch(JsonNode step, Path folder) {
        requireKnown(step, Set.of("target", "patch"), folder);
        requireKnown(step.path("target"), Set.of("kind", "name"), folder);
        String kind = step.at("/target/kind").asText();
        String name = step.path("target").path("name").asText(".*");
        JsonNode patch = Yaml.parse(step.path("patch").asText());
        int matches = 0;
        for (int i = 0; i < built.size(); i++) {
            Manifest target = new Manifest(built.get(i));
            if (target.kind().equals(kind) && target.name().matches(name)) {
                built.set(i, patched(target.json(), patch));
                matches++;
            }
        }
        if (matches == 0) {
            throw new IllegalArgumentException("a patch of " + folder + " matches no " + kind + " " + name);
        }
    }

    private static ObjectNode patched(ObjectNode target, JsonNode patch) {
        if (patch.isArray()) {
            return (ObjectNode) JsonPatch.apply(patch, target);
        }
        ObjectNode merged = target.deepCopy();
        merge(merged, patch);
        return merged;
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        patch.propertyStream().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isArray()) {
                throw new IllegalArgumentException(field.getKey()
                        + " is a list; patch it with JSON 6902, because the merge of a list depends on its kind");
            } else if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value.isObject() && target.path(field.getKey()) instanceof ObjectNode inner) {
                merge(inner, value);
            } else {
                target.set(field.getKey(), value);
            }
        });
    }

    /**
     * Adds labels to all objects. If {@code includeTemplates} is set, adds the labels to the pod templates of
     * Deployments as well.
     */
    private void label(JsonNode step, Path folder) {
        requireKnown(step, Set.of("pairs", "includeTemplates"), folder);
        ObjectNode pairs = (ObjectNode) step.required("pairs");
        for (ObjectNode object : built) {
            object.withObject("/metadata/labels").setAll(pairs);
            if (step.path("includeTemplates").asBoolean()
                    && object.path("kind").asText().equals("Deployment")) {
                object.withObject("/spec/template/metadata/labels").setAll(pairs);
            }
        }
    }

    private void tag(JsonNode image, Path folder) {
        requireKnown(image, Set.of("name", "newName", "newTag"), folder);
        String name = image.path("name").asText();
        built.stream().flatMap(object -> new Manifest(object).containers()).forEach(container -> {
            String[] present = container.path("image").asText().split(":", 2);
            if (present[0].equals(name)) {
                String tag = image.path("newTag").asText(present.length == 2 ? present[1] : "");
                ((ObjectNode) container)
                        .put("image", image.path("newName").asText(name) + (tag.isEmpty() ? "" : ":" + tag));
            }
        });
    }

    /** Puts the value of the source field and a delimiter before the value of each target field. */
    private void replace(JsonNode step, Path folder) {
        requireKnown(step, Set.of("source", "targets"), folder);
        JsonNode source = step.path("source");
        requireKnown(source, Set.of("kind", "name", "fieldPath"), folder);
        String value = new Manifests(built.stream().map(Manifest::new).toList())
                .find(source.path("kind").asText(), source.path("name").asText())
                .map(manifest ->
                        manifest.at("/" + source.path("fieldPath").asText().replace('.', '/')))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .orElseThrow(() -> new IllegalArgumentException("a replacement of " + folder + " has no source"));
        for (JsonNode target : step.path("targets")) {
            requireKnown(target, Set.of("select", "fieldPaths", "options"), folder);
            requireKnown(target.path("select"), Set.of("kind"), folder);
            requireKnown(target.path("options"), Set.of("delimiter", "index"), folder);
            if (target.at("/options/index").asInt(0) != -1) {
                throw new IllegalArgumentException("a replacement of " + folder + " must have the index -1");
            }
            String before = value + target.at("/options/delimiter").asText();
            for (ObjectNode object : built) {
                if (object.path("kind").equals(target.at("/select/kind"))) {
                    target.path("fieldPaths")
                            .forEach(path -> putBefore(
                                    before, object, List.of(path.asText().split("\\."))));
                }
            }
        }
    }

    private static void putBefore(String before, JsonNode node, List<String> path) {
        String first = path.getFirst();
        if (first.equals("*")) {
            node.forEach(element -> putBefore(before, element, path.subList(1, path.size())));
        } else if (path.size() > 1) {
            putBefore(before, node.required(first), path.subList(1, path.size()));
        } else {
            ((ObjectNode) node).put(first, before + node.required(first).asText());
        }
    }

    static void requireKnown(JsonNode node, Set<String> known, Path folder) {
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new IllegalArgumentException(
                        field + " in the kustomization of " + folder + " is not supported; expected one of " + known);
            }
        });
    }
}
