package org.treerename.rename;

import java.util.Arrays;
import java.util.Locale;

/** Why a rename did not complete, or completed with a remark. Where several hold, the first in this order is told. */
public enum Reason {
    INVALID_REQUEST,
    UNKNOWN_NAMESPACE,
    INVALID_PATH,
    /** The journal may have forgotten that it was carried out before. */
    EXPIRED,
    /** The journal knew nothing of a request that it is to come after, for as long as it waits for one. */
    UNKNOWN_PREDECESSOR,
    INTO_ITSELF,
    SOURCE_NOT_FOUND,
    ANCESTOR_IS_A_FILE,
    DESTINATION_PARENT_NOT_FOUND,
    DESTINATION_EXISTS,
    IS_A_DIRECTORY,
    NOT_A_DIRECTORY,
    DESTINATION_NOT_EMPTY,
    /** What stands at the source, or is to be replaced, is newer than the request; or, completed, some of what was to move. */
    OLDER_VERSION,
    /** Failed: others held its locks for longer than it waits. */
    LOCKED,
    /** Failed: Elasticsearch refuses to read the tree, say because its index is gone. */
    TREE_REFUSED,
    /** Failed: its work failed unexpectedly, as often as it is tried. */
    KEPT_FAILING,
    /** Failed: it was given back, and the log does not keep it any more. */
    NOT_DELIVERED_AGAIN,
    /** Completed, but others went on creating documents below the source, and some may stand there. */
    MAY_HAVE_LEFT;

    /** Whether the request failed for what would fail it again: somebody has to look at it. */
    public boolean isRepeatedByItself() {
        return this == TREE_REFUSED || this == KEPT_FAILING;
    }

    /** As it is published and stored: in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Reason ofPublished(String published) {
        return Arrays.stream(values())
                .filter(known -> known.published().equals(published))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown reason \"" + published + "\"; a later version may know it"));
    }
}
