package org.treerename.testoutput;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the skipped tests, the failed tests and the number of all tests as the last lines of the build. At the
 * beginning of the build, Maven calls {@link #main} inside the JVM of Maven. When this JVM ends, a shutdown hook prints
 * the lines.
 */
public final class EndOfBuild {

    private EndOfBuild() {}

    /**
     * Deletes the {@linkplain Notes files} of the previous build, and registers the shutdown hook.
     *
     * @param arguments the root folder of the project
     */
    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        Notes.delete(root, Notes.FAILED);
        Notes.delete(root, Notes.SKIPPED);
        Notes.delete(root, Notes.COUNTS);
        // Maven closes System.out before the hook runs
        PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        print(root, console); // loads all classes now: Maven closes the jars before the hook runs
        Runtime.getRuntime().addShutdownHook(new Thread(topGroup(), () -> print(root, console), "end-of-build"));
    }

    /**
     * Returns the top thread group, in which the thread of the hook can start. Maven destroys the group of the thread
     * that calls {@link #main}. Java 17 cannot start a thread in a destroyed group.
     */
    private static ThreadGroup topGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private static void print(Path root, PrintStream console) {
        List<String> lines = lines(root);
        if (!lines.isEmpty()) {
            console.println();
            lines.forEach(console::println);
        }
    }

    static List<String> lines(Path root) {
        List<String> lines = new ArrayList<>();
        add(lines, "SKIPPED, because a program is missing:", Notes.read(root, Notes.SKIPPED));
        add(lines, "FAILED:", Notes.read(root, Notes.FAILED));
        Counts counts = Counts.sum(Notes.read(root, Notes.COUNTS));
        if (counts.all() > 0) {
            lines.add(counts.text());
        }
        return lines;
    }

    private static void add(List<String> lines, String title, List<String> notes) {
        if (!notes.isEmpty()) {
            lines.add(title);
            notes.forEach(note -> lines.add("  " + note));
        }
    }
}
