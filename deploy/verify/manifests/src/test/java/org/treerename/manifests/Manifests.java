package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All manifests of one overlay. */
record Manifests(List<Manifest> all) {

    List<Manifest> of(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind)).toList();
    }

    Optional<Manifest> find(String kind, String name) {
        return all.stream().filter(manifest -> manifest.is(kind, name)).findFirst();
    }

    /** Returns the Deployments whose pods have all these labels. */
    Stream<Manifest> selected(JsonNode labels) {
        return of("Deployment").stream()
                .filter(deployment -> labels.propertyStream()
                        .allMatch(label -> deployment
                                .at("/spec/template/metadata/labels")
                                .path(label.getKey())
                                .equals(label.getValue())));
    }
}
