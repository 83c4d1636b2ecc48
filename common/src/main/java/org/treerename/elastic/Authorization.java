package org.treerename.elastic;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** As whom Elasticsearch is asked. It is a secret, so its text does not tell it. */
public final class Authorization {

    private final String header;

    private Authorization(String header) {
        this.header = header;
    }

    public static Authorization ofUser(String name, String password) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "a user of Elasticsearch has a name without a colon, found \"" + name + "\"");
        }
        byte[] both = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Authorization("Basic " + Base64.getEncoder().encodeToString(both));
    }

    /**
     * With an API key.
     *
     * @param encoded as Elasticsearch tells it when the key is made: base64 of its id, a colon and the key
     */
    public static Authorization ofApiKey(String encoded) {
        if (encoded.isEmpty() || !encoded.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException("an API key is one word of ASCII, as its field \"encoded\" tells it");
        }
        return new Authorization("ApiKey " + encoded);
    }

    /** The value of the header that goes with each request. */
    String header() {
        return header;
    }

    @Override
    public String toString() {
        return "an authorization";
    }
}
