package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/** One Kubernetes object, as JSON. */
record Manifest(ObjectNode json) {

    String apiVersion() {
        return text("/apiVersion");
    }

    String kind() {
        return text("/kind");
    }

    String name() {
        return text("/metadata/name");
    }

    boolean is(String kind, String name) {
        return kind().equals(kind) && name().equals(name);
    }

    /** Returns the node to which a JSON pointer points, or a missing node if there is no such node. */
    JsonNode at(String pointer) {
        return json.at(pointer);
    }

    /** Returns the text to which a JSON pointer points, or an empty text if there is no such text. */
    String text(String pointer) {
        return at(pointer).asText();
    }

    List<JsonNode> list(String pointer) {
        return at(pointer).valueStream().toList();
    }

    /** Returns the init containers and the containers of a Deployment. */
    Stream<JsonNode> containers() {
        return Stream.of("initContainers", "containers")
                .flatMap(which -> at("/spec/template/spec/" + which).valueStream());
    }

    /** Returns the first container of a Deployment. */
    JsonNode container() {
        return at("/spec/template/spec/containers/0");
    }

    @Override
    public String toString() {
        return kind() + " " + name();
    }
}
