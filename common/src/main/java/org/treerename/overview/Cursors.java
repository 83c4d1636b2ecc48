package org.treerename.overview;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.treerename.lock.LockPriority;

/**
 * Encodes and decodes the position at which a page ends. An encoded position is called a cursor. A URL can contain a
 * cursor without escapes.
 */
public final class Cursors {

    /** The first part never contains the separator, so the first separator ends the first part. */
    private static final char BETWEEN = ':';

    private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");
    private static final String INVALID = "expected the value of next from an earlier page, found another text";

    private Cursors() {}

    public static String of(LockPriority age) {
        return encoded(age.appendedAtMillis() + String.valueOf(BETWEEN) + age.requestId());
    }

    public static String of(LockSearch.At at) {
        return encoded(at.namespace() + BETWEEN + at.path());
    }

    /**
     * Decodes the cursor of a list of renames.
     *
     * @throws IllegalArgumentException if the text is not a cursor of a list of renames
     */
    public static LockPriority age(String cursor) {
        String[] parts = parts(cursor);
        if (!MILLIS.matcher(parts[0]).matches()) {
            throw new IllegalArgumentException(INVALID);
        }
        return new LockPriority(Long.parseLong(parts[0]), parts[1]);
    }

    /**
     * Decodes the cursor of a list of locks.
     *
     * @throws IllegalArgumentException if the text is not a cursor of a list of locks
     */
    public static LockSearch.At at(String cursor) {
        String[] parts = parts(cursor);
        return new LockSearch.At(parts[0], parts[1]);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String[] parts(String cursor) {
        String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        int at = text.indexOf(BETWEEN);
        if (at < 0) {
            throw new IllegalArgumentException(INVALID);
        }
        return new String[] {text.substring(0, at), text.substring(at + 1)};
    }
}
