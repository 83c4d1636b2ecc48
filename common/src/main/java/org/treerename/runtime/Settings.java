package org.treerename.runtime;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values of settings that the command line does not contain. The environment has the highest priority, then the
 * properties file, then the default of the option.
 *
 * <p>For example, {@code --lock-wait} is {@code TREE_RENAME_LOCK_WAIT} in the environment and {@code lock-wait} in the
 * file. The addresses of servers have no prefix: {@code KAFKA_BOOTSTRAP_SERVERS}, {@code ELASTICSEARCH_URL}. The
 * variable {@code TREE_RENAME_SETTINGS} contains the name of the file. An unknown name is an error. The message
 * suggests the most similar known name.
 */
public final class Settings implements CommandLine.IDefaultValueProvider {

    private static final String PREFIX = "TREE_RENAME_";
    private static final String FILE = PREFIX + "SETTINGS";

    /** The environment variable that is {@code true} in tests and in the local stack. It is not a setting of any service. */
    public static final String TEST_STACK = PREFIX + "TEST_STACK";

    private static final Set<String> WITHOUT_PREFIX = Set.of("--kafka-bootstrap-servers", "--elasticsearch-url");

    private final Map<String, String> environment;
    private final Properties file;

    private Settings(Map<String, String> environment, Properties file) {
        this.environment = environment;
        this.file = file;
    }

    /**
     * Reads the settings file, if the environment names one, and throws if a name belongs to no option of the command.
     *
     * @throws IllegalArgumentException if the file cannot be read, or a name is unknown; the message is one sentence for people
     */
    public static Settings of(Map<String, String> environment, CommandLine command) {
        Settings settings = new Settings(environment, file(environment.get(FILE)));
        Set<String> keys = keys(command);
        Set<String> variables = new TreeSet<>();
        keys.forEach(key -> variables.add(variable("--" + key)));
        variables.add(FILE);
        variables.add(TEST_STACK);
        for (Object key : settings.file.keySet()) {
            refuseUnknown("setting " + key + " of " + environment.get(FILE), key.toString(), keys);
        }
        for (String name : environment.keySet()) {
            if (name.startsWith(PREFIX)) {
                refuseUnknown("environment variable " + name, name, variables);
            }
        }
        return settings;
    }

    /**
     * Throws if options for tests are used outside tests and the local stack.
     *
     * @param options the names of the options, for the message
     * @throws IllegalArgumentException if {@link #TEST_STACK} is not {@code true}
     */
    public static void requireTestStack(Map<String, String> environment, String options) {
        String found = environment.get(TEST_STACK);
        if (!"true".equals(found)) {
            throw new IllegalArgumentException(
                    options + " are for tests: expected " + TEST_STACK + "=true in the environment, found " + found);
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return null;
        }
        String given = environment.get(variable(option.longestName()));
        return given != null ? given : file.getProperty(option.longestName().substring(2));
    }

    /** Returns the environment variable of an option. */
    public static String variable(String option) {
        String name = option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        return WITHOUT_PREFIX.contains(option) ? name : PREFIX + name;
    }

    /** Returns every option of the command and its subcommands, except help and version, without its dashes. */
    private static Set<String> keys(CommandLine command) {
        Set<String> keys = new TreeSet<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.longestName().startsWith("--") && !option.usageHelp() && !option.versionHelp()) {
                keys.add(option.longestName().substring(2));
            }
        }
        command.getSubcommands().values().forEach(subcommand -> keys.addAll(keys(subcommand)));
        return keys;
    }

    private static void refuseUnknown(String what, String name, Set<String> known) {
        if (!known.contains(name)) {
            String hint = SimilarName.to(name, known)
                    .map(n -> "; did you mean " + n + "?")
                    .orElse("");
            throw new IllegalArgumentException("unknown " + what + hint);
        }
    }

    private static Properties file(@Nullable String name) {
        Properties properties = new Properties();
        if (name != null) {
            try (Reader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new IllegalArgumentException("cannot read the settings file " + name + ": " + e, e);
            }
        }
        return properties;
    }
}
