package org.treerename.path;

import org.jspecify.annotations.Nullable;

/**
 * How renames of a namespace are carried out.
 *
 * @param granularity what a rename locks
 * @param orderingDepth requests whose sources have as many first segments in common are in order, 0 to 10; 0: all
 * @param version who gives documents their versions
 * @param versionField a field of a document with the version in which it is written; null where the request says it, or
 *     Elasticsearch gives the versions
 * @param documentsPerSecond that one process moves in this namespace at most; 0 for no limit but the process' own
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
            throw new IllegalArgumentException("ordering_depth is 0 to " + DEEPEST + ", found " + orderingDepth);
        }
        if (versionField != null) {
            Fields.requireFilled("version_field", versionField);
            if (version != VersionOwner.EXTERNAL_GTE) {
                throw new IllegalArgumentException("version_field needs version external_gte, found " + version.stored()
                        + ": what a document says is its version already, and external refuses an equal one");
            }
        }
        if (documentsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "documents_per_second is at least 1, or 0 for no limit, found " + documentsPerSecond);
        }
    }

    Rules lockedBy(Granularity other) {
        return new Rules(other, orderingDepth, version, versionField, documentsPerSecond);
    }
}
