package org.treerename.rename;

import org.jspecify.annotations.Nullable;

/**
 * How far the move of a decided rename has come, as its owner told it. Each number is what was acknowledged when the entry was
 * last written, so the truth is no less.
 *
 * @param moved documents whose new path was acknowledged
 * @param expected documents that stood at or below the source when the rename was checked; more may be moved where others
 *     go on creating some
 * @param passes begun, at least 1 once the first page was read
 * @param processId who moves them
 * @param rolledForward whether another process had begun it
 * @param decided when the rename was decided; null if the sender's version does not say so
 */
public record RenameProgress(
        String requestId,
        long moved,
        long expected,
        int passes,
        String processId,
        boolean rolledForward,
        @Nullable DecisionTime decided) {}
