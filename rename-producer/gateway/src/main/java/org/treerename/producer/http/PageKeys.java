package org.treerename.producer.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.treerename.http.Tokens;

/**
 * Signs the tokens of pages, so that no client can change a token. The first key signs. A signature of each key is
 * valid, so a new key can replace the first key while clients still have tokens of the old key.
 */
final class PageKeys {

    private static final int SHORTEST = 32;
    private static final int RANDOM_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    /** Neither a token nor its signature contains this character. */
    private static final char SEPARATOR = '.';

    private final List<SecretKeySpec> keys;

    private PageKeys(List<byte[]> keys) {
        this.keys = keys.stream().map(key -> new SecretKeySpec(key, ALGORITHM)).toList();
    }

    /** Creates a key that only this process has. */
    static PageKeys random() {
        byte[] key = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(key);
        return new PageKeys(List.of(key));
    }

    /**
     * Reads the keys from a file with one key in each line.
     *
     * @throws IllegalArgumentException if the file is not valid; the message contains no key
     */
    static PageKeys of(Path file) {
        List<String> lines;
        try {
            Tokens.requireProtected(file);
            lines = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the keys of pages: " + e, e);
        }
        if (lines.isEmpty() || lines.stream().anyMatch(line -> line.length() < SHORTEST)) {
            throw new IllegalArgumentException("expected one key of at least " + SHORTEST
                    + " characters in each line of " + file + "; openssl rand -hex 32 prints such a key");
        }
        return new PageKeys(lines.stream()
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    /** Returns the token with its signature. */
    String signed(String token) {
        return token
                + SEPARATOR
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature(keys.getFirst(), token));
    }

    /** Returns the token without its signature; empty if no key has signed the token. */
    Optional<String> verified(String signed) {
        int end = signed.lastIndexOf(SEPARATOR);
        if (end < 0) {
            return Optional.empty();
        }
        String token = signed.substring(0, end);
        byte[] found;
        try {
            found = Base64.getUrlDecoder().decode(signed.substring(end + 1));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(signature(key, token), found))
                ? Optional.of(token)
                : Optional.empty();
    }

    private static byte[] signature(SecretKeySpec key, String token) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }
}
