package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Command lines as processes of their own. */
final class Console {

    private Console() {}

    /** How one run ended, and what it wrote to standard output. */
    record Ended(int code, String out) {

        JsonNode json() throws JsonProcessingException {
            return Es.JSON.readTree(out);
        }
    }

    static Ended run(String mainClass, List<String> arguments) throws IOException, InterruptedException {
        return run(mainClass, arguments, ProcessBuilder.Redirect.DISCARD);
    }

    /** The same, and what it wrote to standard error goes there. */
    static Ended run(String mainClass, List<String> arguments, ProcessBuilder.Redirect err)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("console", ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // two services on one class path, each with a logback.xml, of which Logback would tell on standard
                // output
                "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                mainClass));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err)
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("it has ended").isTrue();
        Ended ended = new Ended(process.exitValue(), Files.readString(out));
        Files.delete(out);
        return ended;
    }
}
