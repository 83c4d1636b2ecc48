package org.treerename.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.SimilarName;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values of settings that the command line does not contain. The order of priority is: the environment, the
 * {@linkplain ConfigFile configuration file}, the default of the option.
 *
 * <p>For example, the setting of the option {@code --lock-wait} is called {@code TREE_RENAME_LOCK_WAIT} in the
 * environment and {@code lock-wait} in the file. Two environment variables have no prefix: {@code
 * KAFKA_BOOTSTRAP_SERVERS} and {@code ELASTICSEARCH_URL}. A program ignores the settings of the other programs, because
 * programs may share an environment or a file. The file must not contain an unknown setting. The environment must not
 * contain an unknown variable with the prefix {@code TREE_RENAME_}. The error message suggests the most similar known
 * name.
 *
 * <p>Options that say what one call does, such as {@code --dry-run} or {@code --yes}, are allowed only on the command
 * line. A forgotten variable would otherwise change what a later command does. The resource {@code settings.txt} marks
 * these options.
 */
public final class Settings implements CommandLine.IDefaultValueProvider {

    private static final String PREFIX = "TREE_RENAME_";

    /** The mark, in {@code settings.txt}, of an option that only the command line may contain. */
    private static final String MARK = " command-line";

    private static final Set<String> WITHOUT_PREFIX = Set.of("--kafka-bootstrap-servers", "--elasticsearch-url");

    /**
     * The place from which the value of an option comes. The constants are in ascending order of priority: a value from
     * {@code COMMAND_LINE} overrides all other values.
     */
    public enum Origin {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        COMMAND_LINE
    }

    private final Map<String, String> environment;
    private final ConfigFile file;

    private Settings(Map<String, String> environment, ConfigFile file) {
        this.environment = environment;
        this.file = file;
    }

    /**
     * Returns the settings of a service. This method reads a configuration file only if the arguments or the
     * environment name one. So by default, a service does not read the configuration file of the user who starts the
     * service.
     *
     * @param arguments the command line, which may contain {@code --config}
     * @throws IllegalArgumentException if the configuration file is invalid, or if a setting or an environment
     *     variable is unknown; the message is one sentence
     */
    public static Settings of(Map<String, String> environment, CommandLine command, String... arguments) {
        return of(environment, command, Optional.empty(), arguments);
    }

    /**
     * Returns the settings of a command that a person runs. If neither the command line nor the environment names a
     * configuration file, this method reads the file of the user.
     *
     * @throws IllegalArgumentException if the configuration file is invalid, or if a setting or an environment
     *     variable is unknown; the message is one sentence
     */
    public static Settings ofPerson(Map<String, String> environment, CommandLine command, String... arguments) {
        return of(environment, command, fileOfPerson(environment), arguments);
    }

    private static Settings of(
            Map<String, String> environment, CommandLine command, Optional<Path> otherwise, String... arguments) {
        Known known = Known.of(command);
        environment.keySet().stream().filter(name -> name.startsWith(PREFIX)).forEach(known::require);
        Optional<Path> file = ConfigOptions.in(arguments)
                .file()
                .or(() -> Optional.ofNullable(environment.get(variable("--config")))
                        .map(Path::of))
                .or(() -> otherwise);
        return new Settings(
                environment, file.map(found -> ConfigFile.read(found, known)).orElseGet(ConfigFile::none));
    }

    private static Optional<Path> fileOfPerson(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .or(() -> Optional.ofNullable(environment.get("HOME")).map(home -> Path.of(home, ".config")))
                .map(folder -> folder.resolve("tree-rename").resolve("config.yaml"))
                .filter(Files::exists);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return null;
        }
        String given = environment.get(variable(option.longestName()));
        if (given != null) {
            return given;
        }
        String value = file.value(option.longestName().substring(2));
        return value != null && option.type() == Path.class ? file.resolved(value, environment.get("HOME")) : value;
    }

    /** Returns the place from which the value of an option comes. The command line must already be parsed. */
    public static Origin origin(CommandLine command, String option) {
        if (command.getParseResult().hasMatchedOption(option)) {
            return Origin.COMMAND_LINE;
        }
        if (!(command.getDefaultValueProvider() instanceof Settings settings)) {
            return Origin.DEFAULT;
        }
        if (settings.environment.containsKey(variable(option))) {
            return Origin.ENVIRONMENT;
        }
        return settings.file.value(option.substring(2)) == null ? Origin.DEFAULT : Origin.FILE;
    }

    /** Returns the name of the environment variable for an option. */
    public static String variable(String option) {
        String name = option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        return WITHOUT_PREFIX.contains(option) ? name : PREFIX + name;
    }

    /** Returns whether the environment and the configuration file may contain an option of any program. */
    public static boolean isAllowedOutside(String option) {
        return Known.ofAll().settings().contains(option.substring(2));
    }

    /**
     * The names of the options of all programs, without the leading dashes. A test compares these names with the options
     * of the programs.
     *
     * @param settings the options that the environment and the file may contain
     * @param others the options that only the command line may contain
     */
    record Known(Set<String> settings, Set<String> others) {

        private static Known of(CommandLine command) {
            Known known = ofAll();
            keys(command).stream().filter(key -> !known.others.contains(key)).forEach(known.settings::add);
            return known;
        }

        private static Known ofAll() {
            Known known = new Known(new TreeSet<>(), new TreeSet<>());
            try (InputStream resource = Objects.requireNonNull(Settings.class.getResourceAsStream("settings.txt"))) {
                new String(resource.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .forEach(line -> {
                            if (line.endsWith(MARK)) {
                                known.others.add(line.substring(0, line.length() - MARK.length()));
                            } else {
                                known.settings.add(line);
                            }
                        });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return known;
        }

        private void require(String variable) {
            for (String option : others) {
                if (variable("--" + option).equals(variable)) {
                    throw new IllegalArgumentException("expected no variable " + variable
                            + " in the environment; give the option --" + option + " on the command line instead");
                }
            }
            Set<String> variables = new TreeSet<>();
            settings.forEach(key -> variables.add(variable("--" + key)));
            if (!variables.contains(variable)) {
                String hint = SimilarName.to(variable, variables)
                        .map(similar -> "; did you mean " + similar + "?")
                        .orElse("");
                throw new IllegalArgumentException("unknown environment variable " + variable + hint);
            }
        }
    }

    /**
     * Returns the names of all options of the command and its subcommands, without the leading dashes. Omits the
     * options for help and version.
     */
    public static Set<String> keys(CommandLine command) {
        Set<String> keys = new TreeSet<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.longestName().startsWith("--") && !option.usageHelp() && !option.versionHelp()) {
                keys.add(option.longestName().substring(2));
            }
        }
        command.getSubcommands().values().forEach(subcommand -> keys.addAll(keys(subcommand)));
        return keys;
    }
}
