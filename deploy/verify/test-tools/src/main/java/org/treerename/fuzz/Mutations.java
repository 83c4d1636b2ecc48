package org.treerename.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Generates malformed bytes. Removes, repeats and replaces parts of well-formed inputs, and inserts texts or random
 * bytes. Two instances with equal arguments generate equal bytes.
 */
public final class Mutations {

    private static final int MAX_CHANGES = 4;
    private static final int LONG_INSERT = 20_000;

    private final Random random;
    private final List<byte[]> good;
    private final List<byte[]> words;

    /**
     * @param good the well-formed inputs
     * @param words the texts to insert, in addition to random bytes
     */
    public Mutations(long seed, List<String> good, List<String> words) {
        this.random = new Random(seed);
        this.good = bytes(good);
        this.words = bytes(words);
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    }

    public byte[] next() {
        byte[] bytes = one(good).clone();
        for (int i = random.nextInt(MAX_CHANGES) + 1; i > 0; i--) {
            bytes = changed(bytes);
        }
        return bytes;
    }

    private byte[] one(List<byte[]> of) {
        return of.get(random.nextInt(of.size()));
    }

    private byte[] changed(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(16));
        byte[] cut = Arrays.copyOfRange(bytes, from, to);
        return switch (random.nextInt(8)) {
            case 0 -> with(bytes, from, to, new byte[0]);
            case 1 -> with(bytes, from, from, cut);
            case 2 -> Arrays.copyOf(bytes, from);
            case 3 -> with(bytes, from, to, any(random.nextInt(8) + 1));
            case 4 -> with(bytes, from, Math.min(bytes.length, from + 1), any(1));
            case 5 -> with(bytes, from, from, repeated());
            default -> with(bytes, from, to, one(words));
        };
    }

    private byte[] any(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] repeated() {
        byte[] word = one(words);
        int times = Math.max(1, random.nextInt(10) == 0 ? LONG_INSERT / word.length : random.nextInt(20));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(word);
        }
        return all.toByteArray();
    }

    private static byte[] with(byte[] bytes, int from, int to, byte[] between) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes, 0, from);
        all.writeBytes(between);
        all.write(bytes, to, bytes.length - to);
        return all.toByteArray();
    }
}
