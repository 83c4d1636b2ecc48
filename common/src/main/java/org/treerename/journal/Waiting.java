package org.treerename.journal;

import org.jspecify.annotations.Nullable;

/**
 * The refusals of a request because of locks of other requests.
 *
 * @param refusals the number of refusals
 * @param refusedBy the request whose lock caused the last refusal; null if there was no refusal
 * @param refusal the text of the last refusal, which contains the path
 */
public record Waiting(
        int refusals, @Nullable String refusedBy, @Nullable String refusal) {
    public static final Waiting NONE = new Waiting(0, null, null);
}
