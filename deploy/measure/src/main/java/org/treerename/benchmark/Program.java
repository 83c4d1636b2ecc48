package org.treerename.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Finds the names of programs for the report. The name of a Java program contains the main class or the jar file. */
final class Program {

    /** The options of the {@code java} command that have their value in the next argument. */
    private static final Set<String> WITH_VALUE =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens");

    private static final Set<String> BEFORE_MAIN = Set.of("-jar", "-m", "--module");

    private Program() {}

    /**
     * Returns the name of a running process.
     *
     * @param name the name that the kernel reports; returned if the command line contains no better name
     */
    static String of(long pid, String name) {
        if (!name.equals("java")) {
            return name;
        }
        try {
            String text =
                    Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"), StandardCharsets.ISO_8859_1);
            return named(name, Arrays.asList(text.split("\0", -1)));
        } catch (IOException e) {
            return name; // the process has ended
        }
    }

    /** Returns the name of a Java program: {@code name}, and the main class or the jar file in {@code command}. */
    static String named(String name, List<String> command) {
        Iterator<String> words = command.stream().skip(1).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (WITH_VALUE.contains(word)) {
                if (words.hasNext()) {
                    words.next();
                }
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return name + " " + word.substring(Math.max(word.lastIndexOf('/'), lastDot(word)) + 1);
            } else if (BEFORE_MAIN.contains(word) && words.hasNext()) {
                String main = words.next();
                return name + " " + main.substring(main.lastIndexOf('/') + 1);
            }
        }
        return name;
    }

    /** Returns the index of the dot before the simple name of a class; -1 if the word is the path of a file. */
    private static int lastDot(String word) {
        return word.indexOf('/') < 0 ? word.lastIndexOf('.') : -1;
    }
}
