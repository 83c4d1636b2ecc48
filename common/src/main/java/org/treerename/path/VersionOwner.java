package org.treerename.path;

import java.util.Locale;

/** Who gives the documents of a tree their versions. */
public enum VersionOwner {
    /** Elasticsearch does: documents are written if they are as they were read. */
    SEQ_NO,
    /** Another system does, and a write carries a version above the document's. */
    EXTERNAL,
    /** The same, or the document's own. */
    EXTERNAL_GTE;

    /** As definitions say it: {@code seq_no}, {@code external} or {@code external_gte}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
