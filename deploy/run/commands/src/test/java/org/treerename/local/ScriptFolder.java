package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A copy of the scripts in {@code deploy/run}, {@code deploy/verify} and {@code deploy/measure} with its own output
 * folder. The programs use the class path of the tests, so the scripts start no build.
 */
record ScriptFolder(Path root) {

    private static final long SECONDS = 180;
    private static final Path REPOSITORY =
            Path.of("").toAbsolutePath().resolve("../../..").normalize();

    private static final List<String> FOLDERS = List.of("deploy/run", "deploy/verify", "deploy/measure");

    /** The exit code and the output of a script. */
    record Result(int exitCode, String out, String err) {

        /** Returns the standard output, or fails with all output if the script failed. */
        String succeeded() {
            assertThat(exitCode).as(this::toString).isZero();
            return out;
        }
    }

    static Path repository() {
        return REPOSITORY;
    }

    static ScriptFolder in(Path root) throws IOException {
        ScriptFolder scripts = new ScriptFolder(root);
        for (Path script : scriptsBelow(REPOSITORY)) {
            scripts.copy(REPOSITORY.relativize(script));
        }
        scripts.copy(Path.of("deploy/run/lib/run.sh"));
        scripts.addClassPath();
        return scripts;
    }

    private static List<Path> scriptsBelow(Path root) throws IOException {
        List<Path> scripts = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.list(root.resolve(folder))) {
                files.filter(Files::isRegularFile).filter(Files::isExecutable).forEach(scripts::add);
            }
        }
        return scripts;
    }

    private void copy(Path file) throws IOException {
        Path copy = root.resolve(file);
        Files.createDirectories(copy.resolveSibling("."));
        Files.copy(REPOSITORY.resolve(file), copy);
    }

    /** Returns every script, except the file that the scripts share. */
    List<Path> scripts() throws IOException {
        return scriptsBelow(root);
    }

    /** Returns the folder with the files that the scripts write. */
    Path output() {
        return root.resolve("deploy/output");
    }

    /** Writes the results of a build: a jar that refers to the class path of this test, and a stamp file. */
    private void addClassPath() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Stream.of(classPath.split(File.pathSeparator))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        Path target = root.resolve("deploy/run/commands/target");
        Files.createDirectories(target.resolve("lib"));
        try (OutputStream file = Files.newOutputStream(target.resolve("class-path.jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.finish();
        }
        Files.createFile(target.resolve("built"));
    }

    Result run(String script, String... arguments) {
        return run(Map.of(), script, arguments);
    }

    /**
     * Runs the script with this file name, and waits until the script ends. The script gets the given environment
     * variables, JAVA_HOME, and a few basic variables of this process.
     */
    Result run(Map<String, String> environment, String script, String... arguments) {
        Path file = FOLDERS.stream()
                .map(folder -> root.resolve(folder).resolve(script))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow();
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(List.of(arguments));
        return run(root, environment, command);
    }

    static Result run(Path folder, Map<String, String> environment, List<String> command) {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            Map<String, String> variables = new HashMap<>(Map.of("JAVA_HOME", System.getProperty("java.home")));
            variables.putAll(environment);
            builder.environment().keySet().retainAll(List.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"));
            builder.environment().putAll(variables);
            Process process = builder.start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(command + " did not end within " + SECONDS + " s: " + Files.readString(out)
                        + Files.readString(err));
            }
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while " + command + " ran", e);
        }
    }

    /** Writes an executable bash script, for example into a folder of the {@code PATH}. */
    static void writeProgram(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
