package org.treerename.testservers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips a test if one of its {@linkplain Needs needed} programs is missing. If the missing program is required, fails
 * the test instead.
 */
final class NeededTools implements ExecutionCondition {

    /** The variable {@code PATH} of some users does not contain these folders of programs for administrators. */
    private static final List<String> MORE_FOLDERS = List.of("/usr/sbin", "/sbin");

    /** For each Debian package that tests need, a command that succeeds if the package is installed. */
    private static final Map<String, List<String>> LIBRARIES =
            Map.of("python3-confluent-kafka", List.of("/usr/bin/python3", "-c", "import confluent_kafka"));

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Needs> needs = AnnotationSupport.findAnnotation(context.getElement(), Needs.class);
        if (needs.isEmpty()) {
            return ConditionEvaluationResult.enabled("needs no program");
        }
        String test = name(context);
        Optional<String> missing = missing(
                test,
                needs.get().value(),
                Set.of(System.getProperty("require", "").split(",")));
        record(Path.of(System.getProperty("basedir", ""), "target", "not-run.txt"), test, missing);
        return missing.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("all programs are installed"));
    }

    private static String name(ExtensionContext context) {
        String type = context.getRequiredTestClass().getSimpleName();
        return context.getTestMethod()
                .map(method -> type + "." + method.getName())
                .orElse(type);
    }

    /**
     * Returns the reason why the test is skipped, or an empty result if all programs are installed.
     *
     * @throws IllegalStateException if a missing program is required
     */
    static Optional<String> missing(String test, String[] programs, Set<String> required) {
        List<String> missing =
                Stream.of(programs).filter(program -> !isInstalled(program)).toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String reason = test + " needs " + String.join(", ", missing) + "; install with: deploy/verify/packages";
        if (missing.stream().anyMatch(required::contains)) {
            throw new IllegalStateException(reason);
        }
        return Optional.of(reason);
    }

    /**
     * Replaces the line of a test in the file. If the new line is empty, removes the old line. No other process writes
     * the file, because the test classes of one module do not run concurrently.
     */
    static synchronized void record(Path file, String test, Optional<String> line) {
        try {
            List<String> lines = new ArrayList<>(Files.exists(file) ? Files.readAllLines(file) : List.of());
            boolean changed = lines.removeIf(old -> old.startsWith(test + " "));
            line.ifPresent(lines::add);
            if (changed || line.isPresent()) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, lines);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isInstalled(String needed) {
        List<String> command = LIBRARIES.get(needed);
        return command == null ? find(needed).isPresent() : succeeds(command);
    }

    private static boolean succeeds(List<String> command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // the program that loads the library is missing
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while checking " + command, e);
        }
    }

    private static Optional<Path> find(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), MORE_FOLDERS.stream())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
