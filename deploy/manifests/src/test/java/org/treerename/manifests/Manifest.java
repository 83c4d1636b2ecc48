package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/** One object that Kubernetes is to have. */
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

    /** A missing one where nothing is. */
    JsonNode at(String pointer) {
        return json.at(pointer);
    }

    /** Empty where nothing is. */
    String text(String pointer) {
        return at(pointer).asText();
    }

    List<JsonNode> list(String pointer) {
        return at(pointer).valueStream().toList();
    }

    /** Of a Deployment. */
    Stream<JsonNode> containers() {
        return Stream.of("initContainers", "containers")
                .flatMap(which -> at("/spec/template/spec/" + which).valueStream());
    }

    /** Of a Deployment that runs one alone. */
    JsonNode container() {
        return at("/spec/template/spec/containers/0");
    }

    @Override
    public String toString() {
        return kind() + " " + name();
    }
}
