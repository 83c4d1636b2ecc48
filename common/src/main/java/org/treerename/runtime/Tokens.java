package org.treerename.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer tokens that are taken, out of a file with a {@code name:token} in each line; empty lines and those that begin with
 * {@code #} say nothing. A name may have several. Only hashes are kept, and all of them are compared, in the same time whatever
 * is given. Any thread may ask; one {@linkplain #look looks} at the file.
 */
public final class Tokens {

    /**
     * One of them.
     *
     * @param hash in hexadecimal digits
     */
    private record Token(String name, String hash) {

        boolean isHashedTo(String other) {
            return MessageDigest.isEqual(
                    hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Tokens.class);

    /** The characters are those that a header can carry (RFC 6750). */
    private static final Pattern LINE = Pattern.compile("([^:\\p{Cntrl}]{1,100}):([A-Za-z0-9._~+/=-]{16,512})");

    private final Path file;
    private volatile List<Token> tokens;
    private String told = "";

    private Tokens(Path file, List<Token> tokens) {
        this.file = file;
        this.tokens = tokens;
    }

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException that tells the line, and no token
     */
    public static Tokens of(Path file) {
        return new Tokens(file, read(file));
    }

    /** Whose token it is; empty if it is none. */
    public Optional<String> nameOf(String given) {
        String hash = hash(given);
        String found = null;
        for (Token token : tokens) {
            if (token.isHashedTo(hash)) {
                found = token.name();
            }
        }
        return Optional.ofNullable(found);
    }

    /** Takes up what the file says now. Where that cannot be, what it said before counts on, and it is told once. */
    public void look() {
        try {
            List<Token> now = read(file);
            told = "";
            if (!now.equals(tokens)) {
                tokens = now;
                log.info("the tokens in {} have changed: {} are taken now", file, now.size());
            }
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            if (!problem.equals(told)) {
                log.error("{}; what it said before counts on", problem);
            }
            told = problem;
        }
    }

    private static List<Token> read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the tokens: " + e, e);
        }
        List<Token> read = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("line " + (i + 1) + " of " + file
                        + " is no name:token, with 16 to 512 of the characters that a token may have");
            }
            Token token = new Token(parts.group(1), hash(parts.group(2)));
            if (read.stream().anyMatch(other -> other.hash().equals(token.hash()))) {
                throw new IllegalArgumentException(
                        "line " + (i + 1) + " of " + file + " has a token that stands above, too");
            }
            read.add(token);
        }
        if (read.isEmpty()) {
            throw new IllegalArgumentException("there is no token in " + file);
        }
        return List.copyOf(read);
    }

    private static String hash(String token) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
