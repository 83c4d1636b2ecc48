package org.treerename.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The input of one check by TLC: a model, the values of its constants, and the properties that must hold. A {@code
 * .cfg} file contains this input.
 *
 * @param name the name of the file without {@code .cfg}; the part before the first {@code -} is the name of the model
 * @param text the text of the file
 */
public record Configuration(String name, String text) {

    /** The checks of all small configurations together take a few minutes. */
    private static final List<String> SMALL = List.of(
            "Attempts",
            "Attempts-stale-reads",
            "Attempts-twice",
            "Attempts-cancelled",
            "Attempts-direct",
            "Attempts-two",
            "SharedLocks",
            "Janitors",
            "LateWrites",
            "Claims",
            "Claims-busy-directory",
            "Claims-busy-tables",
            "Claims-full-table",
            "Claims-waiting",
            "Readers",
            "Readers-in-its-place",
            "Readers-further",
            "Readers-apart",
            "Readers-order",
            "Readers-three");

    /** The check of each large configuration takes minutes or hours. */
    private static final List<String> LARGE = List.of(
            "SharedLocks-large",
            "Claims-large",
            "LateWrites-large",
            "Readers-large",
            "Readers-three-large",
            "Attempts-two-large",
            "Janitors-large",
            "Attempts-large");

    private static final Pattern GUARD =
            Pattern.compile("^ +(\\w+) = TRUE +\\\\\\* FALSE breaks (\\w+)(?: with (.*))?$");

    public static List<Configuration> small() {
        return SMALL.stream().map(Configuration::named).toList();
    }

    public static List<Configuration> large() {
        return LARGE.stream().map(Configuration::named).toList();
    }

    static Configuration named(String name) {
        return new Configuration(name, resource(name + ".cfg"));
    }

    static String resource(String name) {
        try (InputStream in = Configuration.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("expected the resource " + name + " among the models, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String model() {
        return name.split("-", 2)[0];
    }

    /**
     * Returns the guards of the configuration. In the text, a comment after each guard names the property that does not
     * hold without this guard.
     */
    public List<Guard> guards() {
        List<Guard> guards = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Matcher guard = GUARD.matcher(line);
            if (guard.matches()) {
                guards.add(new Guard(guard.group(1), guard.group(2), values(guard.group(3))));
            }
        }
        return guards;
    }

    private static Map<String, String> values(String list) {
        Map<String, String> values = new HashMap<>();
        if (list != null) {
            for (String value : list.split(", ", -1)) {
                String[] parts = value.split(" = ", 2);
                values.put(parts[0], parts[1]);
            }
        }
        return values;
    }

    /** Returns this configuration without one guard. */
    public Configuration without(Guard guard) {
        Configuration weakened = with(guard.constant(), "FALSE");
        for (Map.Entry<String, String> value : guard.instead().entrySet()) {
            weakened = weakened.with(value.getKey(), value.getValue());
        }
        return new Configuration(name + "-without-" + guard.constant(), weakened.text());
    }

    private Configuration with(String constant, String value) {
        Pattern line = Pattern.compile("(?m)^( +" + constant + " = ).*$");
        if (!line.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "expected the constant " + constant + " in the configuration " + name + ", found none");
        }
        return new Configuration(name, line.matcher(text).replaceFirst("$1" + Matcher.quoteReplacement(value)));
    }
}
