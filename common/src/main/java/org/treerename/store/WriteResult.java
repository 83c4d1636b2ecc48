package org.treerename.store;

/** The result of a conditional write that was answered. */
public sealed interface WriteResult {

    /** The write took effect. The document now has this version. */
    record Written(Version version) implements WriteResult {}

    /**
     * The document does not have the expected version: it was changed or deleted, or it already exists and should have
     * been created.
     */
    record Conflict() implements WriteResult {}
}
