package org.treerename.journal;

import org.jspecify.annotations.Nullable;

/**
 * The refused attempts of a request to acquire its locks.
 *
 * @param refusals the number of refusals
 * @param refusedBy the request whose lock caused the last refusal; null if there was no refusal
 * @param refusal the text of the last refusal, with the locked path; null if there was no refusal
 */
public record Waiting(
        int refusals, @Nullable String refusedBy, @Nullable String refusal) {
    public static final Waiting NONE = new Waiting(0, null, null);
}
