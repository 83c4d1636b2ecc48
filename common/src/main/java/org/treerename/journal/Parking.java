package org.treerename.journal;

import java.util.List;
import java.util.Objects;

/** The reason why the rename cannot continue, and the ids of the first documents that cannot be moved. */
public record Parking(String reason, List<String> documents) {

    public Parking {
        Objects.requireNonNull(reason);
        documents = List.copyOf(documents);
    }

    @Override
    public String toString() {
        return documents.isEmpty() ? reason : reason + ", the first documents: " + String.join("; ", documents);
    }
}
