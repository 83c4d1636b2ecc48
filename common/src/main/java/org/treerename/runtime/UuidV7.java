package org.treerename.runtime;

import java.util.Random;
import java.util.UUID;

/**
 * Generates UUIDs of version 7: 48 bits of milliseconds, then a counter of 12 bits, then 62 random bits. The
 * alphabetical order of the UUIDs is the order of their generation, even within a millisecond, and even if the clock is
 * set back. Any thread may call this class.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#section-6.2">RFC 9562, 6.2, method 1</a>
 */
public final class UuidV7 {

    private static final int LAST_COUNT = 0xFFF;
    /** The counter begins at a random number below this bound, so in the lower half of its range. */
    private static final int FIRST_COUNTS = 0x800;

    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final Time time;
    private final Random random;
    private long millis;
    private int count;

    public UuidV7(Time time, Random random) {
        this.time = time;
        this.random = random;
    }

    public synchronized UUID next() {
        long now = time.now().toEpochMilli();
        if (now > millis) {
            begin(now);
        } else if (count == LAST_COUNT) {
            begin(millis + 1);
        } else {
            count++;
        }
        return new UUID(millis << 16 | VERSION | count, VARIANT | random.nextLong() >>> 2);
    }

    private void begin(long millisecond) {
        millis = millisecond;
        count = random.nextInt(FIRST_COUNTS);
    }
}
