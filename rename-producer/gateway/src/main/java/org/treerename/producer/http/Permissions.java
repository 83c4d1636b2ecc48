package org.treerename.producer.http;

import org.jspecify.annotations.Nullable;
import org.treerename.http.Caller;
import org.treerename.http.Right;

/** Checks whether a caller has a right in one namespace or in all namespaces. */
final class Permissions {

    private Permissions() {}

    /**
     * Returns whether a caller may read a rename.
     *
     * @param namespace null if the request of the rename was not valid; then only a right in all namespaces counts
     */
    static boolean mayRead(Caller caller, @Nullable String namespace) {
        return namespace == null ? caller.may(Right.READ) : caller.may(Right.READ, namespace);
    }

    /**
     * Throws if a caller does not have this right in a namespace.
     *
     * @param namespace null for all namespaces
     */
    static void require(Caller caller, Right right, @Nullable String namespace) {
        boolean isAllowed = namespace == null ? caller.may(right) : caller.may(right, namespace);
        if (!isAllowed) {
            throw missing(right, namespace == null ? "in all namespaces; name one namespace" : "in this namespace");
        }
    }

    private static ProblemException missing(Right right, String where) {
        return new ProblemException(
                right == Right.READ ? Problem.MISSING_RIGHT_READ : Problem.MISSING_RIGHT_RENAME,
                "this request needs the right " + right.word() + " " + where,
                null);
    }
}
