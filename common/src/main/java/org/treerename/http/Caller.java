package org.treerename.http;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request.
 *
 * @param name the name of the token or of the certificate
 */
public record Caller(String name, Set<Grant> grants) {

    /**
     * A right of a caller in one namespace or in all namespaces.
     *
     * @param namespace the only namespace to which the right applies; null if the right applies to all namespaces and
     *     to requests without a namespace
     */
    public record Grant(Right right, @Nullable String namespace) {

        private boolean includes(Right other) {
            return right == other || other == Right.READ;
        }
    }

    /** The name of a caller that has no token and no certificate. No token and no certificate may have this name. */
    public static final String ANONYMOUS = "http";

    private static final char NAMESPACE = '@';

    public Caller {
        grants = Set.copyOf(grants);
    }

    /** Returns a caller with all rights, for a server that requires no token. */
    public static Caller withAllRights(String name) {
        return new Caller(name, Set.of(new Grant(Right.RENAME, null), new Grant(Right.OPERATE, null)));
    }

    /** Returns whether the caller has a right that is not limited to one namespace. */
    public boolean may(Right right) {
        return grants.stream().anyMatch(grant -> grant.namespace() == null && grant.includes(right));
    }

    /** Returns whether the caller has a right in a namespace. */
    public boolean may(Right right, String namespace) {
        return may(right)
                || grants.stream().anyMatch(grant -> namespace.equals(grant.namespace()) && grant.includes(right));
    }

    /**
     * Parses the rights in a line of the token file, for example {@code read,rename@files}.
     *
     * @throws IllegalArgumentException if a right is not valid
     */
    static Set<Grant> grants(String words) {
        Set<Grant> grants = new HashSet<>();
        for (String word : words.split(",", -1)) {
            int at = word.indexOf(NAMESPACE);
            String name = at < 0 ? word : word.substring(0, at);
            String namespace = at < 0 ? null : word.substring(at + 1);
            Right right = Arrays.stream(Right.values())
                    .filter(known -> known.word().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("expected each right to be read, rename or operate"));
            if (namespace != null && namespace.isBlank()) {
                throw new IllegalArgumentException(
                        "expected a namespace after " + NAMESPACE + " in a right, found none");
            }
            grants.add(new Grant(right, namespace));
        }
        return grants;
    }
}
