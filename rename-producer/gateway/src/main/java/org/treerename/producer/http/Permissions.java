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
     * @param namespace the namespace of the rename; null if its request was not valid. For null, the caller needs the
     *     right to read in all namespaces
     */
    static boolean mayRead(Caller caller, @Nullable String namespace) {
        return namespace == null ? caller.may(Right.READ) : caller.may(Right.READ, namespace);
    }

    /**
     * Throws if a caller does not have this right.
     *
     * @param namespace the namespace in which the caller needs the right; null for all namespaces
     */
    static void require(Caller caller, Right right, @Nullable String namespace) {
        boolean isAllowed = namespace == null ? caller.may(right) : caller.may(right, namespace);
        if (!isAllowed) {
            String where = namespace == null ? "in all namespaces, because it names no namespace" : "in this namespace";
            throw missing(right, where);
        }
    }

    private static ProblemException missing(Right right, String where) {
        return new ProblemException(
                right == Right.READ ? Problem.MISSING_RIGHT_READ : Problem.MISSING_RIGHT_RENAME,
                "this request needs the right to " + right.word() + " " + where,
                null);
    }
}
