package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;

/**
 * Reads and writes the file with the addresses of the servers and the process ids of a running stack. Each line is
 * {@code KEY=value}. The file exists while the stack is ready. If the stack is killed, the file is not deleted.
 */
record StackEnv(Map<String, String> values) {

    static final String KAFKA = "KAFKA_BOOTSTRAP_SERVERS";
    static final String ELASTICSEARCH = "ELASTICSEARCH_URL";
    static final String PREFIX = "TREE_RENAME_PREFIX";
    static final String STACK_PID = "STACK_PID";

    StackEnv {
        values = new LinkedHashMap<>(values);
    }

    /** Reads the file. Returns empty if the file does not exist. */
    static Optional<StackEnv> read(Path file) {
        try {
            Map<String, String> values = new LinkedHashMap<>();
            for (String line : Files.readAllLines(file)) {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    values.put(line.substring(0, equals), line.substring(equals + 1));
                }
            }
            return Optional.of(new StackEnv(values));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Writes the file atomically. */
    void write(Path file) {
        StringJoiner lines = new StringJoiner("\n", "", "\n");
        values.forEach((key, value) -> lines.add(key + "=" + value));
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(beside, lines.toString(), StandardCharsets.UTF_8);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    @Nullable
    String get(String key) {
        return values.get(key);
    }

    boolean isOf(long pid) {
        return String.valueOf(pid).equals(get(STACK_PID));
    }

    /** Returns whether the process that wrote the file is alive. */
    boolean isAlive() {
        String pid = get(STACK_PID);
        return pid != null
                && pid.matches("\\d{1,18}")
                && ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    /**
     * Returns the installation whose prefix the environment contains. Without a prefix, returns the default
     * installation if the environment contains the address of Elasticsearch. Without both, returns the installation of
     * the running stack.
     */
    static Installation installation(Map<String, String> environment, Path file) {
        String given = environment.get(PREFIX);
        if (given != null) {
            return new Installation(given);
        }
        String other = environment.get(ELASTICSEARCH);
        return other != null && !other.isBlank()
                ? Installation.DEFAULT
                : read(file).map(env -> env.get(PREFIX)).map(Installation::new).orElse(Installation.DEFAULT);
    }

    /**
     * Returns an address of servers from the environment, or from the running stack if the environment has none.
     *
     * @param name {@link #ELASTICSEARCH} or {@link #KAFKA}
     */
    static String address(String name, Map<String, String> environment, Path file) {
        String given = environment.get(name);
        if (given != null && !given.isBlank()) {
            return given;
        }
        return read(file)
                .filter(StackEnv::isAlive)
                .map(env -> env.get(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "no local stack is running: start one with deploy/run/up, or set the address of the servers in "
                                + name));
    }
}
