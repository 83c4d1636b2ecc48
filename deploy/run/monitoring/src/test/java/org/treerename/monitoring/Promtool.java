package org.treerename.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs promtool, which checks files of Prometheus. */
final class Promtool {

    private Promtool() {}

    /** Runs promtool in a folder. If promtool reports an error, fails with the output of promtool. */
    static void agrees(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("promtool"));
        words.addAll(List.of(arguments));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }
}
