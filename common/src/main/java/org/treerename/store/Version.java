package org.treerename.store;

/** Which write of a document one has seen: its sequence number and the primary term that gave it. */
public record Version(long seqNo, long primaryTerm) {}
