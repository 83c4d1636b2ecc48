package org.treerename.namespace;

import org.jspecify.annotations.Nullable;

/**
 * The rules of the renames of a namespace.
 *
 * @param granularity the extent of the locks that a rename acquires
 * @param orderingDepth the number of first segments of the source by which requests are ordered, 0 to 10. Requests are
 *     processed in order if these segments of their sources are equal. With 0, all requests are processed in order
 * @param version the system that assigns the versions of documents
 * @param versionField the field that contains the version of a document; null if the request contains the version or if
 *     Elasticsearch assigns the versions
 * @param documentsPerSecond the largest number of documents that one process moves per second in this namespace. With
 *     0, only the limit of the process applies
 */
public record Rules(
        Granularity granularity,
        int orderingDepth,
        VersionOwner version,
        @Nullable String versionField,
        int documentsPerSecond) {

    public static final int DEEPEST = 10;
    public static final Rules DEFAULT = new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, null, 0);

    public Rules {
        if (orderingDepth < 0 || orderingDepth > DEEPEST) {
            throw new IllegalArgumentException("ordering_depth must be 0 to " + DEEPEST + ", found " + orderingDepth);
        }
        if (versionField != null) {
            Fields.requireFilled("version_field", versionField);
            if (version != VersionOwner.EXTERNAL_GTE) {
                throw new IllegalArgumentException(
                        "version_field requires version external_gte, found " + version.stored()
                                + (version == VersionOwner.EXTERNAL
                                        ? ": a rename does not change the value of the field, and external refuses an"
                                                + " equal version"
                                        : ""));
            }
        }
        if (documentsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "documents_per_second must be at least 1, or 0 for no limit, found " + documentsPerSecond);
        }
    }

    Rules lockedBy(Granularity other) {
        return new Rules(other, orderingDepth, version, versionField, documentsPerSecond);
    }
}
