package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/** One object of Kubernetes, as JSON. */
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

    /** Returns the node at a JSON pointer, or a missing node if no node is at the pointer. */
    JsonNode at(String pointer) {
        return json.at(pointer);
    }

    /** Returns the text at a JSON pointer, or an empty text if no text is at the pointer. */
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
