package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the classes and the methods of all modules are short. The code of tests may be longer. */
final class SourceSizesTest {

    private static final Path ROOT = ScriptFolder.repository();
    private static final int MOST_LINES_OF_A_FILE = 500;
    private static final int MOST_LINES_OF_A_METHOD = 60;

    @Test
    void classes_and_methods_are_short() throws IOException {
        List<Path> files = JavaSources.filesBelow(ROOT, "src/main");

        assertThat(files).hasSizeGreaterThan(500);
        assertThat(problems(ROOT, files)).isEmpty();
    }

    @Test
    void finds_a_long_class_and_a_long_method(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("Long.java");
        String shortMethod = "@Deprecated\nvoid fits() {" + "\n".repeat(59) + "}\n";
        String longMethod = "@Deprecated\nLong() {" + "\n".repeat(60) + "}\n";
        Files.writeString(file, "class Long {\n" + shortMethod + longMethod + "\n".repeat(375) + "}\n");

        assertThat(problems(folder, List.of(file)))
                .containsExactly("Long.java: method <init> has 61 lines, at most 60");
        Files.writeString(file, "\n", StandardOpenOption.APPEND);
        assertThat(problems(folder, List.of(file))).contains("Long.java: the file has 501 lines, at most 500");
    }

    /** Returns a message for each file and each method that is too long. */
    private static List<String> problems(Path root, List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> problems = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = Path.of(unit.getSourceFile().toUri());
                String name = root.relativize(file) + ": ";
                int lines = Files.readAllLines(file).size();
                if (lines > MOST_LINES_OF_A_FILE) {
                    problems.add(name + "the file has " + lines + " lines, at most " + MOST_LINES_OF_A_FILE);
                }
                new LongMethods(unit, positions, name, problems).scan(unit, null);
            }
        }
        return problems;
    }

    /** Adds a message for each long method of a file. */
    private static final class LongMethods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String name;
        private final List<String> problems;

        LongMethods(CompilationUnitTree unit, SourcePositions positions, String name, List<String> problems) {
            this.unit = unit;
            this.positions = positions;
            this.name = name;
            this.problems = problems;
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            // the constructor that the compiler adds to a class has no end position
            long end = positions.getEndPosition(unit, method);
            if (method.getBody() != null && end > 0) {
                long lines = line(end) - line(signature(method)) + 1;
                if (lines > MOST_LINES_OF_A_METHOD) {
                    problems.add(name + "method " + method.getName() + " has " + lines + " lines, at most "
                            + MOST_LINES_OF_A_METHOD);
                }
            }
            return super.visitMethod(method, none);
        }

        /** Returns the position of the signature, without the annotations before it. */
        private long signature(MethodTree method) {
            List<? extends Tree> annotations = method.getModifiers().getAnnotations();
            return annotations.isEmpty()
                    ? positions.getStartPosition(unit, method)
                    : positions.getEndPosition(unit, annotations.getLast()) + 1;
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
