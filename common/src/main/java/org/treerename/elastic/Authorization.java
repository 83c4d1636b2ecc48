package org.treerename.elastic;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The credentials for Elasticsearch. The credentials are secret, so {@link #toString} does not return them. */
public final class Authorization {

    private final String header;

    private Authorization(String header) {
        this.header = header;
    }

    public static Authorization ofUser(String name, String password) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "the user name for Elasticsearch must not be empty and must not contain a colon, found \"" + name
                            + "\"");
        }
        byte[] both = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Authorization("Basic " + Base64.getEncoder().encodeToString(both));
    }

    /**
     * Returns the credentials of an API key.
     *
     * @param encoded the value of the field {@code encoded} that Elasticsearch returned when the key was created. The
     *     value contains the id, a colon and the key, encoded in base64
     */
    public static Authorization ofApiKey(String encoded) {
        if (encoded.isEmpty() || !encoded.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "an API key must be one word of ASCII characters; use the value of the field \"encoded\" that"
                            + " Elasticsearch returned when the key was created");
        }
        return new Authorization("ApiKey " + encoded);
    }

    /** Returns the value of the header {@code Authorization}. Each request contains this header. */
    String header() {
        return header;
    }

    @Override
    public String toString() {
        return "an authorization";
    }
}
