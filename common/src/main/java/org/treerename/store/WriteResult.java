package org.treerename.store;

/** How a conditional write ended, where an answer came. */
public sealed interface WriteResult {

    /** The write took effect and gave the document this version. */
    record Written(Version version) implements WriteResult {}

    /** The document is not in the version that the write named (or stands there already, or is gone). */
    record Conflict() implements WriteResult {}
}
