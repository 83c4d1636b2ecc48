package org.treerename.janitor.console;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may look, and who may act. Where the console is seen from this machine only, everybody on it may look, under a name of this
 * machine: a page from elsewhere whose name is made to point here is none. Elsewhere one needs a token to look, too. To act one
 * always needs one.
 *
 * @param address where the console listens
 * @param tokens the name of a token's owner; null where no token is taken
 */
record Admission(InetAddress address, @Nullable Function<String, Optional<String>> tokens) {

    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

    Admission {
        if (tokens == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("--console-host " + address.getHostAddress()
                    + " is seen from other machines: expected --console-token-file, too");
        }
    }

    boolean takesTokens() {
        return tokens != null;
    }

    /** Without a token. */
    boolean mayRead() {
        return address.isLoopbackAddress();
    }

    /** Whether one asks for this console, by the header {@code Host}. */
    boolean isHost(String host) {
        String name = PORT.matcher(host).replaceFirst("");
        return !address.isLoopbackAddress() || HERE.contains(name) || name.equals(address.getHostAddress());
    }

    /** Whose token it is; empty if it is none that is taken. */
    Optional<String> nameOf(String token) {
        return tokens == null ? Optional.empty() : tokens.apply(token);
    }
}
