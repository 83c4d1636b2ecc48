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

/** Describes a Java program to be started as a {@link ChildProcess}. For one thread. */
public final class JavaCommand {
    /** Ctrl-C reaches this process and not its children, so that it can end them in their order. */
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
     * The program whose main class this is.
     *
     * @param classPath as for {@code java -cp}; the place of {@link Tether} is added
     * @param log the file that standard output and standard error are appended to
     */
    public static JavaCommand of(String mainClass, String classPath, Path log) {
        return new JavaCommand(mainClass, classPath, log);
    }

    /** Such as {@code -Xmx512m}. */
    public JavaCommand jvmOptions(String... options) {
        jvmOptions = List.of(options);
        return this;
    }

    public JavaCommand arguments(String... words) {
        arguments = List.of(words);
        return this;
    }

    /** On top of this process's own environment. */
    public JavaCommand environment(Map<String, String> variables) {
        environment = Map.copyOf(variables);
        return this;
    }

    /** The working directory; else this process's own. */
    public JavaCommand directory(Path folder) {
        directory = folder;
        return this;
    }

    /** Words in front of the command, which must give way to it (exec). */
    JavaCommand wrapper(List<String> words) {
        wrapper = List.copyOf(words);
        return this;
    }

    Path log() {
        return log;
    }

    /** Starts it; the caller ends it by {@link ChildProcess#close()}. */
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
        words.addAll(List.of("-cp", classPath + File.pathSeparator + placeOfTether()));
        words.add(Tether.class.getName());
        words.add(mainClass);
        words.addAll(arguments);
        return words;
    }

    /** Last on the class path, so that it hides nothing of the program's own. */
    private static Path placeOfTether() {
        try {
            return Path.of(Tether.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The class path of " + Tether.class + " is no file", e);
        }
    }
}
