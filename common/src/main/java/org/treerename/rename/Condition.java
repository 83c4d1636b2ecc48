package org.treerename.rename;

/** On which condition a document of a tree is written or deleted. */
public sealed interface Condition {

    /** It is still in the version that was read. */
    record AsRead() implements Condition {}

    /**
     * Its version, which another system gives, is lower; this one becomes its version. So what is newer is never overwritten;
     * what was written in a lower version since it was read, is.
     *
     * @param orEqual whether it may have this one already
     */
    record Above(long version, boolean orEqual) implements Condition {
        public Above {
            if (version < 0) {
                throw new IllegalArgumentException("a version is no negative number, found " + version);
            }
        }

        /** Whether a document in that version is too new. */
        public boolean isOlderThan(long there) {
            return orEqual ? version < there : version <= there;
        }
    }

    /** Whether what was read shows that it cannot hold any more. */
    default boolean isOlderThan(Document.Ref seen) {
        return this instanceof Above above && above.isOlderThan(seen.external());
    }
}
