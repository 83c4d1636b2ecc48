package org.treerename.janitor.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.treerename.installation.Installation;

/** All files of the console, in memory. The console serves only these files. */
final class Pages {

    /**
     * A file that the console sends to a browser.
     *
     * @param tag the entity tag, which changes with the content
     */
    record File(String type, String text, String tag) {}

    static final String INDEX = "index.html";

    /** The placeholder for the prefix of the installation, which needs no escaping in HTML. */
    private static final String INSTALLATION = "{installation}";

    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry(INDEX, "text/html; charset=utf-8"),
            Map.entry("console.css", "text/css; charset=utf-8"),
            Map.entry("icon.svg", "image/svg+xml"),
            Map.entry("console.js", SCRIPT),
            Map.entry("ask.js", SCRIPT),
            Map.entry("draw.js", SCRIPT),
            Map.entry("words.js", SCRIPT),
            Map.entry("processes.js", SCRIPT),
            Map.entry("activity.js", SCRIPT),
            Map.entry("plot.js", SCRIPT),
            Map.entry("renames.js", SCRIPT),
            Map.entry("request.js", SCRIPT),
            Map.entry("locks.js", SCRIPT),
            Map.entry("outcomes.js", SCRIPT),
            Map.entry("takeovers.js", SCRIPT),
            Map.entry("letters.js", SCRIPT),
            Map.entry("audit.js", SCRIPT));

    private final Map<String, File> files = new TreeMap<>();

    /**
     * Reads the files from the class path.
     *
     * @param installation the installation; the title of the page contains its prefix
     */
    Pages(Installation installation) {
        String name = installation.prefix().isEmpty() ? "" : " " + installation.prefix();
        TYPES.forEach((file, type) -> files.put(file, read(file, type, name)));
    }

    Optional<File> named(String name) {
        return Optional.ofNullable(files.get(name));
    }

    Map<String, File> all() {
        return Map.copyOf(files);
    }

    private static File read(String name, String type, String installation) {
        try (InputStream in = Objects.requireNonNull(Pages.class.getResourceAsStream(name), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            if (name.equals(INDEX)) {
                text = text.replace(INSTALLATION, installation);
            }
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return new File(type, text, "\"" + HexFormat.of().formatHex(hash, 0, 8) + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
