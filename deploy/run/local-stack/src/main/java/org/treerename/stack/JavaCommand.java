package org.treerename.stack;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Java program that can be started as a {@link ChildProcess}. Only one thread uses this class. */
public final class JavaCommand {
    /** With a session of its own, Ctrl-C reaches only this process, which ends its children in the right order. */
    private static final List<String> OWN_SESSION = List.of("setsid");

    private final String mainClass;
    private final String classPath;
    private final Path log;
    private List<String> wrapper = List.of();
    private List<String> jvmOptions = List.of();
    private List<String> arguments = List.of();
    private Map<String, String> environment = Map.of();
    private Path directory = Path.of("");

    private JavaCommand(String mainClass, String classPath, Path log) {
        this.mainClass = mainClass;
        this.classPath = classPath;
        this.log = log;
    }

    /**
     * Returns the program with this main class.
     *
     * @param classPath the class path as for {@code java -cp}; {@link #start} adds the location of {@link Tether}
     * @param log the file to which standard output and standard error are appended
     */
    public static JavaCommand of(String mainClass, String classPath, Path log) {
        return new JavaCommand(mainClass, classPath, log);
    }

    /** Sets the options of the Java virtual machine, for example {@code -Xmx512m}. */
    public JavaCommand jvmOptions(String... options) {
        jvmOptions = List.of(options);
        return this;
    }

    public JavaCommand arguments(String... words) {
        arguments = List.of(words);
        return this;
    }

    /** Sets environment variables of the child. The child also gets the variables of this process. */
    public JavaCommand environment(Map<String, String> variables) {
        environment = Map.copyOf(variables);
        return this;
    }

    /** Sets the working directory. The default is the working directory of this process. */
    public JavaCommand directory(Path folder) {
        directory = folder;
        return this;
    }

    /**
     * Sets the words that come before the Java command. They must start a program that replaces itself with the Java
     * command (exec).
     */
    JavaCommand wrapper(List<String> words) {
        wrapper = List.copyOf(words);
        return this;
    }

    Path log() {
        return log;
    }

    /** Starts the program. The caller must end the program with {@link ChildProcess#close()}. */
    public ChildProcess start() throws IOException {
        if (log.getParent() != null) {
            Files.createDirectories(log.getParent());
        }
        ProcessBuilder builder = new ProcessBuilder(words())
                .directory(directory.toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new ChildProcess(mainClass, builder.start(), log);
    }

    private List<String> words() {
        List<String> words = new ArrayList<>(OWN_SESSION);
        words.addAll(wrapper);
        words.add(JavaExecutable.find().toString());
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", classPath + File.pathSeparator + locationOfTether()));
        words.add(Tether.class.getName());
        words.add(mainClass);
        words.addAll(arguments);
        return words;
    }

    /** The last entry of the class path, so that it hides no class of the program. */
    private static Path locationOfTether() {
        try {
            return Path.of(Tether.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("Expected a file or a folder as the location of " + Tether.class, e);
        }
    }
}
