package org.treerename.tree;

/** The condition for writing or deleting a document of a tree. */
public sealed interface Condition {

    /** The document must still have the version that was read. */
    record AsRead() implements Condition {}

    /**
     * Another system assigns the versions. The version of the document must be lower than {@code version}, and the
     * write sets it to {@code version}. So the write never overwrites a document with a higher version. But if another
     * program changed the document after the read, and the change has a lower version, the write overwrites this
     * change.
     *
     * @param orEqual whether the document may already have this version
     */
    record Above(long version, boolean orEqual) implements Condition {
        public Above {
            if (version < 0) {
                throw new IllegalArgumentException("a version must not be negative, was " + version);
            }
        }

        /** Returns whether a document with the version {@code there} is too new. */
        public boolean isOlderThan(long there) {
            return orEqual ? version < there : version <= there;
        }
    }

    /** Returns whether the version that was read shows that the condition can no longer be met. */
    default boolean isOlderThan(Document.Ref seen) {
        return this instanceof Above above && above.isOlderThan(seen.external());
    }
}
