package org.treerename.store;

/** The answer to a conditional write. */
public sealed interface WriteResult {

    /** The write took effect. The document now has this version. */
    record Written(Version version) implements WriteResult {}

    /**
     * The document does not have the expected version. The document was changed or deleted, or a document that the
     * write should create already exists.
     */
    record Conflict() implements WriteResult {}
}
