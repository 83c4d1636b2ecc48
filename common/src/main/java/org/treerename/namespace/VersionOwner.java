package org.treerename.namespace;

import java.util.Locale;

/** The system that assigns the versions of the documents of a tree. */
public enum VersionOwner {
    /** Elasticsearch: a document is written only if it has not changed since it was read. */
    SEQ_NO,
    /** Another system: a write must have a greater version than the document. */
    EXTERNAL,
    /** Another system: a write must have a greater version than the document, or an equal version. */
    EXTERNAL_GTE;

    /**
     * Returns the value of {@code version} in a definition: {@code seq_no}, {@code external} or {@code external_gte}.
     */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
