package org.treerename.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks bearer tokens. The valid tokens are in a file with one {@code name:token:rights} in each line, for example
 * {@code nightly:TOKEN:read,rename@files}. A line without rights is not valid. Empty lines and lines that begin with
 * {@code #} are ignored. A name may have several tokens. Only hashes are kept. The hash of a given token is
 * compared with all these hashes. The time of the comparison does not depend on the token. Any thread may check a
 * token; one thread {@linkplain #poll reads the file again}.
 */
public final class Tokens {

    /**
     * A valid token.
     *
     * @param hash the hash of the token, in hexadecimal digits
     */
    private record Token(Caller owner, String hash) {

        boolean isHashedTo(String other) {
            return MessageDigest.isEqual(
                    hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Tokens.class);

    /** One line of the file. A token contains only the characters that RFC 6750 allows in a bearer token. */
    private static final Pattern LINE =
            Pattern.compile("([^:\\p{Cntrl}]{1,100}):([A-Za-z0-9._~+/=-]{16,512}):([^:\\p{Cntrl}]+)");

    private final Path file;
    private volatile List<Token> tokens;
    private volatile Optional<String> problem = Optional.empty();

    private Tokens(Path file, List<Token> tokens) {
        this.file = file;
        this.tokens = tokens;
    }

    /**
     * Reads the tokens from a file.
     *
     * @throws IllegalArgumentException if the file is not valid; the message contains the number of the line, but no
     *     token
     */
    public static Tokens of(Path file) {
        return new Tokens(file, read(file));
    }

    /** Returns the owner of the token; empty if the token is not valid. */
    public Optional<Caller> ownerOf(String given) {
        String hash = hash(given);
        Caller found = null;
        for (Token token : tokens) {
            if (token.isHashedTo(hash)) {
                found = token.owner();
            }
        }
        return Optional.ofNullable(found);
    }

    /** Reads the file again. While the file is not valid, no token is valid. The problem is logged once. */
    public void poll() {
        try {
            List<Token> now = read(file);
            problem = Optional.empty();
            if (!now.equals(tokens)) {
                tokens = now;
                log.info("the tokens in {} have changed; valid tokens: {}", file, now.size());
            }
        } catch (IllegalArgumentException e) {
            tokens = List.of();
            Optional<String> now = Optional.of(e.getMessage() + "; no token is valid until the file is valid");
            if (!now.equals(problem)) {
                log.error("{}", now.get());
            }
            problem = now;
        }
    }

    /** Returns why no token is valid; empty if the file is valid. */
    public Optional<String> problem() {
        return problem;
    }

    private static List<Token> read(Path file) {
        List<String> lines;
        try {
            requireProtected(file);
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
                        + ": expected name:token:rights, for example nightly:TOKEN:read, with a token of 16 to 512 characters of"
                        + " A-Z, a-z, 0-9 and ._~+/=-");
            }
            if (parts.group(1).equals(Caller.ANONYMOUS)) {
                throw new IllegalArgumentException("line " + (i + 1) + " of " + file + ": expected another name than "
                        + Caller.ANONYMOUS + ", which is the name of every caller without a token");
            }
            Token token =
                    new Token(new Caller(parts.group(1), rights(parts.group(3), i + 1, file)), hash(parts.group(2)));
            if (read.stream().anyMatch(other -> other.hash().equals(token.hash()))) {
                throw new IllegalArgumentException("line " + (i + 1) + " of " + file
                        + " repeats a token of an earlier line; each token must be" + " different");
            }
            read.add(token);
        }
        if (read.isEmpty()) {
            throw new IllegalArgumentException("expected at least one token, found none in " + file);
        }
        return List.copyOf(read);
    }

    /**
     * Checks the permissions of a file with secrets.
     *
     * @throws IllegalArgumentException if every user of this machine may write the file, and so may give rights to
     *     anyone
     */
    public static void requireProtected(Path file) throws IOException {
        PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (posix != null && posix.readAttributes().permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IllegalArgumentException("every user of this machine may write " + file + "; expected chmod o-w");
        }
    }

    private static Set<Caller.Grant> rights(String words, int line, Path file) {
        try {
            return Caller.grants(words);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line " + line + " of " + file + ": " + e.getMessage(), e);
        }
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
