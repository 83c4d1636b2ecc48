package org.treerename.path;

/**
 * How renames of a namespace are carried out.
 *
 * @param granularity what a rename locks
 * @param orderingDepth requests whose sources have as many first segments in common are in order, 0 to 10; 0: all
 * @param version only {@link VersionOwner#SEQ_NO} is carried out
 * @param documentsPerSecond that one process moves in this namespace at most; 0 for no limit but the process' own
 */
public record Rules(Granularity granularity, int orderingDepth, VersionOwner version, int documentsPerSecond) {

    public static final int DEEPEST = 10;
    public static final Rules DEFAULT = new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, 0);

    public Rules {
        if (orderingDepth < 0 || orderingDepth > DEEPEST) {
            throw new IllegalArgumentException("ordering_depth is 0 to " + DEEPEST + ", found " + orderingDepth);
        }
        if (documentsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "documents_per_second is at least 1, or 0 for no limit, found " + documentsPerSecond);
        }
    }
}
