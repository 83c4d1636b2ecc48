package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The worker and the janitor of an earlier commit, compiled from its sources. The programs run with the libraries of
 * the present version.
 */
final class EarlierVersion {

    /**
     * The last commit before the present version whose programs must be able to run beside the programs of the present
     * version. The history must contain this commit.
     */
    private static final String COMMIT = "28d9df7fab8d8155b3d924fcb344babe75c2ebfd";

    private static final List<String> MODULES = List.of("common", "rename-worker", "lock-janitor");
    private static final Path FOLDER = Path.of("target", "earlier-version");

    private EarlierVersion() {}

    /** Compiles the earlier version, and returns the class path of its programs. */
    static List<String> classPath() {
        Path archive = FOLDER.resolve("sources.tar").toAbsolutePath();
        Path repository = Path.of(git(FOLDER, "rev-parse --show-toplevel"));
        git(repository, "archive -o " + archive + " " + COMMIT + " " + String.join(" ", sources()));
        run(FOLDER, "tar -xf " + archive);
        Path classes = FOLDER.resolve("classes");
        List<String> libraries =
                ClassPath.jars().stream().filter(EarlierVersion::isLibrary).toList();
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-parameters", "-nowarn", "--release", "21"));
        arguments.addAll(List.of("-d", classes.toString(), "-cp", String.join(File.pathSeparator, libraries)));
        arguments.addAll(javaFiles());
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("the result of the compiler for the sources of commit " + COMMIT)
                .isZero();
        List<String> all = new ArrayList<>(List.of(classes.toString()));
        MODULES.forEach(
                module -> all.add(FOLDER.resolve(module + "/src/main/resources").toString()));
        all.addAll(libraries);
        return all;
    }

    private static List<String> sources() {
        return MODULES.stream().map(module -> module + "/src/main").toList();
    }

    /** Runs git, also in a clone that belongs to another user. */
    private static String git(Path folder, String command) {
        return run(folder, "git -c safe.directory=* " + command);
    }

    /** Runs a command in a folder, and returns its output. */
    private static String run(Path folder, String command) {
        try {
            Files.createDirectories(folder);
            Process process = new ProcessBuilder(command.split(" "))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor())
                    .as(
                            "%s: %s. This test needs git, and a clone whose history contains commit %s; git fetch"
                                    + " --unshallow completes a shallow clone",
                            command, output, COMMIT)
                    .isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> javaFiles() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && !file.endsWith("package-info.java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a JAR file is not part of this project. */
    private static boolean isLibrary(String path) {
        try (JarFile jar = new JarFile(path)) {
            return jar.stream().noneMatch(entry -> entry.getName().startsWith("org/treerename/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
