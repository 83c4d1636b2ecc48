package org.treerename.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides who sent a request to the gateway or to the console. A token names its owner. A request without a token has
 * only the rights of its machine or of its certificate, and a web page of any site can make the browser of a user send
 * such a request. So a request without a token is refused in two cases:
 *
 * <ul>
 *   <li>Only this machine can reach the server, and the header {@code Host} does not name this machine. An attacker can
 *       make the host name of a site point to this machine (DNS rebinding).
 *   <li>The header {@code Origin} names another host than {@code Host}. Browsers send this header with each request that
 *       a page of another site may not read, and that is not a GET or HEAD request.
 * </ul>
 *
 * @param local the loopback address on which the server listens; null if the server accepts every {@code Host}
 * @param tokens the function that returns the owner of a token; null if the server has no tokens
 */
public record Admission(
        @Nullable InetAddress local, @Nullable Function<String, Optional<Caller>> tokens) {

    /** The reason why a request without a token is refused. */
    public enum Refusal {
        FOREIGN_HOST(Answer.MISDIRECTED, "The server answers only at localhost or at a loopback address"),
        FOREIGN_ORIGIN(Answer.FORBIDDEN, "The page of another site sent this request");

        private final int status;
        private final String title;

        Refusal(int status, String title) {
            this.status = status;
            this.title = title;
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }
    }

    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final Pattern SCHEME = Pattern.compile("^https?://");
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * Returns the rule for a server.
     *
     * @param address the address on which the server listens
     */
    public static Admission of(InetAddress address, @Nullable Function<String, Optional<Caller>> tokens) {
        return new Admission(address.isLoopbackAddress() ? address : null, tokens);
    }

    public boolean takesTokens() {
        return tokens != null;
    }

    /** Returns the owner of the token of a request; empty if the request has no valid token. */
    public Optional<Caller> ownerOf(Call.Headers headers) {
        return tokens == null ? Optional.empty() : headers.bearerToken().flatMap(tokens);
    }

    /** Returns why a request without a valid token is refused; empty if it may have the rights of its machine. */
    public Optional<Refusal> refusal(Call.Headers headers) {
        String host = headers.only("Host").orElse("").toLowerCase(Locale.ROOT);
        if (local != null && !isHere(local, PORT.matcher(host).replaceFirst(""))) {
            return Optional.of(Refusal.FOREIGN_HOST);
        }
        return headers.values("Origin").stream()
                .map(origin -> SCHEME.matcher(origin.toLowerCase(Locale.ROOT)).replaceFirst(""))
                .filter(origin -> !origin.equals(host))
                .map(origin -> Refusal.FOREIGN_ORIGIN)
                .findFirst();
    }

    private static boolean isHere(InetAddress local, String name) {
        return HERE.contains(name) || name.equals(local.getHostAddress());
    }
}
