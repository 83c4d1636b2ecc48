package org.treerename.janitor.console;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for access. If only this machine can reach the console, every user of this machine may read without a
 * token. The request must name this machine as its host. This rule excludes a web page of another site whose host name
 * resolves to this machine. If other machines can reach the console, reading requires a token. An action always
 * requires a token.
 *
 * @param address the address on which the console listens
 * @param tokens the function that returns the name of a token's owner; null if the console has no tokens
 */
record Admission(InetAddress address, @Nullable Function<String, Optional<String>> tokens) {

    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

    Admission {
        if (tokens == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("other machines can reach --console-host " + address.getHostAddress()
                    + ": --console-token-file is required");
        }
    }

    boolean takesTokens() {
        return tokens != null;
    }

    /** Returns whether a caller may read without a token. */
    boolean mayRead() {
        return address.isLoopbackAddress();
    }

    /** Returns whether the header {@code Host} may name this console. */
    boolean isHost(String host) {
        String name = PORT.matcher(host).replaceFirst("");
        return !address.isLoopbackAddress() || HERE.contains(name) || name.equals(address.getHostAddress());
    }

    /** Returns the name of the token's owner; empty if the token is not valid. */
    Optional<String> nameOf(String token) {
        return tokens == null ? Optional.empty() : tokens.apply(token);
    }
}
