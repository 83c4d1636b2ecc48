package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An unpacked archive of the distribution.
 *
 * @param home the top folder
 */
record Unpacked(Path home) {

    private static final int PATIENCE_SECONDS = 120;

    /** The names of the programs. */
    static final List<String> PROGRAMS =
            List.of("rename", "rename-admin", "rename-worker", "lock-janitor", "rename-gateway");

    /** The exit code and the output of a program. */
    record Ended(int code, String out, String err) {}

    /** Unpacks the tar archive as a user does. */
    static Unpacked tar(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Process tar = new ProcessBuilder("tar", "xzf", archive(".tar.gz").toString())
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        return new Unpacked(only(folder));
    }

    /** Unpacks the zip archive, with the permissions of its files. */
    static Unpacked zip(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (FileSystem zip = FileSystems.newFileSystem(archive(".zip"), Map.of("enablePosixFileAttributes", "true"));
                Stream<Path> entries = Files.walk(zip.getPath("/"))) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                Path target = folder.resolve(entry.toString().substring(1));
                if (Files.isDirectory(entry)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(entry, target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(entry));
                }
            }
        }
        return new Unpacked(only(folder));
    }

    /** Returns the folder of the module that builds the archives. */
    static Path module() {
        return Path.of(System.getProperty("distribution"));
    }

    /** Returns the archive whose name ends with this text. */
    static Path archive(String end) throws IOException {
        try (Stream<Path> built = Files.list(module().resolve("target"))) {
            List<Path> archives =
                    built.filter(path -> path.toString().endsWith(end)).toList();
            assertThat(archives).hasSize(1);
            return archives.getFirst();
        }
    }

    private static Path only(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            List<Path> all = found.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    /** Returns all files, relative to the top folder, with their permissions. */
    Map<String, String> files() throws IOException {
        Map<String, String> files = new HashMap<>();
        try (Stream<Path> all = Files.walk(home).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                files.put(
                        home.relativize(file).toString(),
                        Files.getPosixFilePermissions(file).stream()
                                .sorted()
                                .toList()
                                .toString());
            }
        }
        return files;
    }

    /** Returns the file of a program on the search path of this process. */
    static Path located(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(each -> Path.of(each, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    /**
     * Returns a process that is not started yet. The environment of the process contains only {@code JAVA_HOME} and
     * {@code PATH}.
     */
    static ProcessBuilder process(Path program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().clear();
        process.environment().put("PATH", System.getenv("PATH"));
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return process;
    }

    /** Runs a process until its end. */
    static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("distribution", ".out");
        Path err = Files.createTempFile("distribution", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " has not ended within " + PATIENCE_SECONDS + " s");
            }
            return new Ended(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
