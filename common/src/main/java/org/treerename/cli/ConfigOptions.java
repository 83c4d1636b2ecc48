package org.treerename.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The option that selects the configuration file. Every command of every program, except {@code generate-completion},
 * has this option.
 */
public final class ConfigOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The file with settings, one name: value in each line. Without this option, rename and rename-admin read"
                            + " tree-rename/config.yaml in the folder XDG_CONFIG_HOME or ~/.config, if this file exists.")
    private @Nullable Path file;

    /**
     * Reads only {@code --config} from a command line. The defaults of all other options depend on it. This method
     * ignores errors in the command line. The program reports these errors when it later parses the whole command line.
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
}
