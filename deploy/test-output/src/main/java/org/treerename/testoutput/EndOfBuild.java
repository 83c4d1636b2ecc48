package org.treerename.testoutput;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the failed and the skipped tests as the last lines of the build. Maven runs {@link #main} in its own JVM when the build begins;
 * a shutdown hook prints when that JVM ends.
 */
public final class EndOfBuild {

    private EndOfBuild() {}

    /**
     * Deletes the notes of the build before, and registers the hook.
     *
     * @param arguments the root folder of the project
     */
    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        Notes.delete(root, Notes.FAILED);
        Notes.delete(root, Notes.SKIPPED);
        PrintStream console = System.out;
        print(root, console); // loads all classes now: Maven closes the jars before the hook runs
        Runtime.getRuntime().addShutdownHook(new Thread(() -> print(root, console), "end-of-build"));
    }

    private static void print(Path root, PrintStream console) {
        lines(root).forEach(console::println);
        console.flush();
    }

    static List<String> lines(Path root) {
        List<String> lines = new ArrayList<>();
        add(lines, "SKIPPED, because a program is missing:", Notes.read(root, Notes.SKIPPED));
        add(lines, "FAILED:", Notes.read(root, Notes.FAILED));
        return lines;
    }

    private static void add(List<String> lines, String title, List<String> notes) {
        if (!notes.isEmpty()) {
            lines.add(title);
            notes.forEach(note -> lines.add("  " + note));
        }
    }
}
