package org.treerename.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The options that select the configuration file and one of its contexts. Every command of every program, except
 * {@code generate-completion}, has these options.
 */
public final class ConfigOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The YAML file with settings. Without this option, rename and rename-admin read"
                    + " tree-rename/config.yaml in the folder XDG_CONFIG_HOME or ~/.config, if this file exists.")
    private @Nullable Path file;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description =
                    "The context whose settings apply. Without this option, the current-context of the configuration"
                            + " file applies.")
    private @Nullable String context;

    /**
     * Reads only {@code --config} and {@code --context} from a command line. The defaults of all other options depend
     * on these two options. This method ignores errors in the command line. The program reports these errors when it
     * later parses the whole command line.
     */
    static ConfigOptions in(String... arguments) {
        ConfigOptions options = new ConfigOptions();
        CommandLine line = new CommandLine(options)
                .setUnmatchedArgumentsAllowed(true)
                .setOverwrittenOptionsAllowed(true)
                .setExpandAtFiles(false);
        try {
            var unused = line.parseArgs(arguments);
        } catch (ParameterException e) {
            return new ConfigOptions();
        }
        return options;
    }

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    Optional<String> context() {
        return Optional.ofNullable(context);
    }
}
