package org.treerename.store;

/** A stored value, with the version that was read or written. */
public record Versioned<T>(T value, Version version) {}
