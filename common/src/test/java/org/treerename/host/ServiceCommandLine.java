package org.treerename.host;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

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
}
