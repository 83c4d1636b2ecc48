package org.treerename.host;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.treerename.crash.CrashOptions;
import org.treerename.runtime.Settings;
import org.treerename.runtime.WallClockOptions;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** A service's command line as its users see it. */
public final class ServiceCommandLine {

    private ServiceCommandLine() {}

    /** How a run ended, and what it wrote to standard error. */
    public record Ended(int code, String error) {}

    public static Ended run(CommandLine command, String... arguments) {
        StringWriter error = new StringWriter();
        int code = command.setErr(new PrintWriter(error, true)).execute(arguments);
        return new Ended(code, error.toString());
    }

    /** What the README says below a heading, up to the next. */
    public static String readme(String heading) {
        try {
            String readme = Files.readString(Path.of("..", "README.md"));
            int begin = readme.indexOf("\n## " + heading + "\n");
            int end = readme.indexOf("\n## ", begin + 1);
            return readme.substring(begin, end < 0 ? readme.length() : end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How the README's table of settings begins a row for each option that is not for tests. */
    public static List<String> rows(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .filter(option -> !CrashOptions.NAMES.contains(option.longestName()))
                .filter(option -> !WallClockOptions.NAMES.contains(option.longestName()))
                .map(ServiceCommandLine::row)
                .toList();
    }

    private static String row(OptionSpec option) {
        String name = option.longestName();
        String value = option.defaultValue();
        return "| `" + name + "` | `" + Settings.variable(name) + "` | " + (value == null ? "" : "`" + value + "` ")
                + "|";
    }
}
