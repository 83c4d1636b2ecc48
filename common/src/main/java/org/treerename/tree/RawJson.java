package org.treerename.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of one JSON value, as a server sent them. */
public final class RawJson {

    private final byte[] bytes;

    public RawJson(byte[] bytes) {
        this.bytes = bytes;
    }

    public static RawJson of(String json) {
        return new RawJson(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the bytes themselves, not a copy. The caller must not change these bytes. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawJson json && Arrays.equals(bytes, json.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
