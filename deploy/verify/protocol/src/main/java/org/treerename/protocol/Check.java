package org.treerename.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * One run of TLC with a configuration, and the expected verdict.
 *
 * @param expected {@code holds}, or {@code breaks} and the name of the property that must not hold
 */
public record Check(Configuration configuration, String expected) {

    private static final String HOLDS = "holds";
    private static final String BREAKS = "breaks ";

    /** The fingerprint of TLC's archive and of the modules. Every check reads these files. */
    private static final String SHARED = fingerprintOfModules();

    /**
     * Returns the checks of the small configurations. A configuration has one check with all guards. For each guard,
     * the configuration has one more check without this guard.
     */
    public static List<Check> small() {
        List<Check> checks = new ArrayList<>();
        for (Configuration configuration : Configuration.small()) {
            checks.add(new Check(configuration, HOLDS));
            for (Guard guard : configuration.guards()) {
                checks.add(new Check(configuration.without(guard), BREAKS + guard.breaks()));
            }
        }
        return checks;
    }

    public String name() {
        return configuration.name();
    }

    /** Returns a verdict in the format of {@link #expected}. */
    public static String inWords(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Holds holds -> HOLDS;
            case Verdict.Breaks breaks -> BREAKS + breaks.property();
        };
    }

    /**
     * Returns the line of this check in {@link Checked}: the name of the check, the fingerprint of TLC's input, and the
     * expected verdict.
     */
    String line() {
        return String.format(Locale.ROOT, "%-50s %s %s", name(), fingerprint(), expected);
    }

    private String fingerprint() {
        MessageDigest sha256 = sha256();
        add(sha256, SHARED);
        add(sha256, configuration.text());
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static String fingerprintOfModules() {
        MessageDigest sha256 = sha256();
        try {
            sha256.update(Files.readAllBytes(ModelChecker.archive()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ModelChecker.models().forEach((name, text) -> {
            add(sha256, name);
            add(sha256, text);
        });
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** No text contains a zero byte. Without it, two texts and their concatenation would have the same fingerprint. */
    private static void add(MessageDigest sha256, String text) {
        sha256.update(text.getBytes(StandardCharsets.UTF_8));
        sha256.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("expected SHA-256 in every Java runtime", e);
        }
    }
}
