package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands. A command runs as a separate process, or inside the JVM of the test, which takes less time. */
final class Console {

    static final String RENAME = "org.treerename.producer.cli.Main";
    static final String RENAME_ADMIN = "org.treerename.janitor.admin.Main";

    private Console() {}

    /** The exit code of one run, and its standard output. */
    record Ended(int code, String out) {

        JsonNode json() throws JsonProcessingException {
            return Es.JSON.readTree(out);
        }
    }

    /** The exit code of one run, its standard output, and its standard error. */
    record Output(int code, String out, String err) {

        Ended ended() {
            return new Ended(code, out);
        }
    }

    /** Runs a command inside this JVM. */
    static Ended run(String mainClass, List<String> arguments) {
        return output(mainClass, arguments).ended();
    }

    /** Runs a command inside this JVM. The result contains the standard error, but not the log of the command. */
    static Output output(String mainClass, List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = run(mainClass, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Output(code, out.toString(), err.toString());
    }

    private static int run(String mainClass, PrintWriter out, PrintWriter err, List<String> arguments) {
        String[] words = arguments.toArray(String[]::new);
        return switch (mainClass) {
            case RENAME -> org.treerename.producer.cli.Main.run(Map.of(), out, err, words);
            case RENAME_ADMIN -> org.treerename.janitor.admin.Main.run(Map.of(), out, err, words);
            default ->
                throw new IllegalArgumentException(
                        "expected the main class of rename or rename-admin, found " + mainClass);
        };
    }

    /** Runs a command as a separate process. */
    static Output process(String mainClass, List<String> arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("console", ".out");
        Path err = Files.createTempFile("console", ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                // the class path contains the logback.xml of two services; without this option, Logback writes a
                // warning to standard output
                "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                "-cp",
                String.join(File.pathSeparator, ClassPath.jars()),
                mainClass));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES))
                .as("the process has ended")
                .isTrue();
        Output output = new Output(process.exitValue(), Files.readString(out), Files.readString(err));
        Files.delete(out);
        Files.delete(err);
        return output;
    }
}
