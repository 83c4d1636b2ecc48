package org.treerename.janitor.console;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Caller;

/**
 * Decides which callers may use the console. If only this machine can reach the console, every user of this machine may
 * read without a token. In this case, the header {@code Host} of each request must name this machine. This rule
 * protects the console against the web page of a site whose host name resolves to this machine. If other machines can
 * reach the console, reading requires a token. An action always requires a token with the right to operate. The console
 * shows and changes all namespaces, so a token must have its rights in all namespaces.
 *
 * @param address the address on which the console listens
 * @param tokens the function that returns the owner of a token; null if the console has no tokens
 */
record Admission(InetAddress address, @Nullable Function<String, Optional<Caller>> tokens) {

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

    /** Returns whether the header {@code Host} of a request may have this value. */
    boolean isHost(String host) {
        String name = PORT.matcher(host).replaceFirst("");
        return !address.isLoopbackAddress() || HERE.contains(name) || name.equals(address.getHostAddress());
    }

    /** Returns the owner of the token; empty if the token is not valid. */
    Optional<Caller> ownerOf(String token) {
        return tokens == null ? Optional.empty() : tokens.apply(token);
    }
}
