package org.treerename.testoutput;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files {@code target/<name>} of each module. The tests of the module write lines into these files. {@link
 * EndOfBuild} prints the lines.
 */
final class Notes {

    /** One line for each failed test. The build fails if a module has this file. */
    static final String FAILED = "failed-tests.txt";

    /** One line for each test that was skipped because a program is missing. */
    static final String SKIPPED = "not-run.txt";

    /** One line for each run of the tests of a module: the numbers of passed, failed and skipped tests. */
    static final String COUNTS = "test-counts.txt";

    private static final String TARGET = "target";
    private static final Set<String> WITHOUT_MODULES = Set.of("src", ".git", "node_modules");

    private Notes() {}

    /** Returns the lines of the files {@code target/<name>} of all modules below a folder, sorted. */
    static List<String> read(Path root, String name) {
        List<String> lines = new ArrayList<>();
        forEach(root, name, file -> lines.addAll(Files.readAllLines(file)));
        return lines.stream().sorted().toList();
    }

    /** Deletes the files {@code target/<name>} of all modules below a folder. */
    static void delete(Path root, String name) {
        forEach(root, name, Files::delete);
    }

    private interface Action {
        void on(Path file) throws IOException;
    }

    private static void forEach(Path root, String name, Action action) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                        throws IOException {
                    String folderName = String.valueOf(folder.getFileName());
                    if (folderName.equals(TARGET)) {
                        Path file = folder.resolve(name);
                        if (Files.exists(file)) {
                            action.on(file);
                        }
                        return FileVisitResult.SKIP_SUBTREE;
                    }
                    return WITHOUT_MODULES.contains(folderName)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // another process has deleted the file during the walk
                    }
                    throw failure;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the notes " + name + " below " + root, e);
        }
    }
}
