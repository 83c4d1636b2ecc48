package org.treerename.service;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command line of a service inside this JVM, and returns the exit code and the text on standard error. */
public final class ServiceCommandLine {

    private ServiceCommandLine() {}

    /** The exit code of a run, and its text on standard error. */
    public record Ended(int code, String error) {}

    public static Ended run(CommandLine command, String... arguments) {
        StringWriter error = new StringWriter();
        int code = command.setErr(new PrintWriter(error, true)).execute(arguments);
        return new Ended(code, error.toString());
    }
}
