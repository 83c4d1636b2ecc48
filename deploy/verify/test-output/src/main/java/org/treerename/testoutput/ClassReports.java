package org.treerename.testoutput;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints one line when a test class ends, and a block of lines when a test fails. Prints a line after every 30 seconds
 * without output. Writes the failed tests to {@link Notes#FAILED}. The file exists while the tests run, so it also
 * exists after this JVM was killed.
 *
 * <p>JUnit finds this class by its service file. Surefire redirects {@link System#out} to the log of the test class. So
 * this class writes directly to the standard output of the process. The tests of one JVM may run in many threads.
 */
public final class ClassReports implements TestExecutionListener {

    private static final Duration QUIET = Duration.ofSeconds(30);

    private final PrintStream console;
    private final FailedTests failed;
    private final Path folder;
    private final String suffix;
    private final String module;
    private final LongSupplier nanos;
    private final Map<String, ClassReport> reports = new ConcurrentHashMap<>();
    private final Map<String, Long> running = new ConcurrentHashMap<>();
    private @Nullable ScheduledExecutorService clock;
    private @Nullable TestPlan plan;
    private int classes;
    private int ended;
    private long printedNanos;

    /** Creates a listener with the settings of the build. JUnit calls this constructor. */
    public ClassReports() {
        this(
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
                Path.of(System.getProperty("basedir", "")),
                System.getProperty("test-output.variant", ""),
                Boolean.getBoolean("test-output.adds"),
                System::nanoTime);
    }

    /**
     * @param folder the folder of the module
     * @param variant the suffix of the reports if the build runs the same tests several times; else empty
     * @param adds whether the lines of the previous run are kept in the file of the failed tests
     * @param nanos returns the time of the monotonic clock
     */
    ClassReports(PrintStream console, Path folder, String variant, boolean adds, LongSupplier nanos) {
        this.console = console;
        this.folder = folder.toAbsolutePath();
        this.suffix = variant.isEmpty() ? "" : "-" + variant;
        this.module = this.folder.getFileName() + suffix;
        this.failed = new FailedTests(this.folder.resolve("target").resolve(Notes.FAILED), adds);
        this.nanos = nanos;
    }

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        classes = (int) started.getRoots().stream()
                .flatMap(root -> started.getChildren(root).stream())
                .filter(child -> className(child).isPresent())
                .count();
        failed.begin(module);
        String noun = classes == 1 ? "class" : "classes";
        print("%s: %d test %s on Java %s".formatted(module, classes, noun, Runtime.version()));
        clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "quiet-tests");
            thread.setDaemon(true);
            return thread;
        });
        var unused = clock.scheduleAtFixedRate(this::reportQuiet, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan finished) {
        if (clock != null) {
            clock.shutdownNow();
        }
        reports.values().stream()
                .map(ClassReport::counts)
                .reduce(Counts.NONE, Counts::plus)
                .append(folder.resolve("target").resolve(Notes.COUNTS));
        failed.end();
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        if (isClass(identifier)) {
            reports.put(identifier.getUniqueId(), new ClassReport(nanos.getAsLong()));
        }
        if (identifier.isTest()) {
            running.put(name(identifier), nanos.getAsLong());
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        if (isClass(identifier)) {
            classEnded(identifier, new ClassReport(nanos.getAsLong()), "skipped: " + reason);
        } else {
            reportOf(identifier).ifPresent(ClassReport::skipped);
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        running.remove(name(identifier));
        if (result.getStatus() == Status.FAILED) {
            reportOf(identifier).ifPresent(ClassReport::failed);
            failed(identifier, result.getThrowable().orElse(null));
        } else if (identifier.isTest()) {
            reportOf(identifier)
                    .ifPresent(result.getStatus() == Status.ABORTED ? ClassReport::skipped : ClassReport::passed);
        }
        if (isClass(identifier)) {
            ClassReport report = reports.get(identifier.getUniqueId());
            if (report != null) {
                classEnded(identifier, report, report.text(nanos.getAsLong()));
            }
        }
    }

    private synchronized void classEnded(TestIdentifier identifier, ClassReport report, String text) {
        ended++;
        print("%s %d of %d: %s%s: %s"
                .formatted(
                        module, ended, classes, report.isFailed() ? "FAILED " : "", identifier.getDisplayName(), text));
    }

    private synchronized void failed(TestIdentifier identifier, @Nullable Throwable failure) {
        Failure block = new Failure(name(identifier), failure, log(identifier));
        failed.add(block.line());
        print(block.text());
    }

    synchronized void reportQuiet() {
        long now = nanos.getAsLong();
        if (now - printedNanos < QUIET.toNanos()) {
            return;
        }
        String tests = running.entrySet().stream()
                .map(test ->
                        "%s for %d s".formatted(test.getKey(), TimeUnit.NANOSECONDS.toSeconds(now - test.getValue())))
                .reduce((one, other) -> one + ", " + other)
                .map(all -> "running " + all)
                .orElse("no test is running");
        print("%s %d of %d: %s".formatted(module, ended, classes, tests));
    }

    private void print(String text) {
        printedNanos = nanos.getAsLong();
        console.println(text);
    }

    /** Returns the report of a class, or of the class that contains a test. */
    private Optional<ClassReport> reportOf(TestIdentifier identifier) {
        for (Optional<TestIdentifier> at = Optional.of(identifier); at.isPresent(); at = parent(at.get())) {
            ClassReport report = reports.get(at.get().getUniqueId());
            if (report != null) {
                return Optional.of(report);
            }
        }
        return Optional.empty();
    }

    private Optional<TestIdentifier> parent(TestIdentifier identifier) {
        return plan == null ? Optional.empty() : plan.getParent(identifier);
    }

    /** Returns whether this is a top-level test class. A nested class is treated as a part of its outer class. */
    private boolean isClass(TestIdentifier identifier) {
        return className(identifier).isPresent()
                && parent(identifier)
                        .map(parent -> parent.getParentId().isEmpty())
                        .orElse(false);
    }

    private static Optional<String> className(TestIdentifier identifier) {
        return identifier
                .getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName());
    }

    /**
     * Returns the names of the class and the method. Adds the display name, which contains the arguments, if it differs
     * from the method name.
     */
    private static String name(TestIdentifier identifier) {
        String shown = identifier.getDisplayName();
        return identifier
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> (MethodSource) source)
                .map(source -> {
                    String simple = source.getClassName()
                            .substring(source.getClassName().lastIndexOf('.') + 1);
                    String method = simple + "." + source.getMethodName();
                    return shown.startsWith(source.getMethodName() + "(") ? method : method + " [" + shown + "]";
                })
                .orElse(shown);
    }

    /**
     * Returns the file with the log of a test class. Failsafe writes the logs of classes whose names end with IT, and
     * Surefire writes all other logs.
     */
    private Path log(TestIdentifier identifier) {
        String type = identifier.getSource().map(ClassReports::typeOf).orElse("");
        return folder.resolve("target")
                .resolve(type.endsWith("IT") ? "failsafe-reports" : "surefire-reports")
                .resolve(type + suffix + "-output.txt");
    }

    private static String typeOf(TestSource source) {
        if (source instanceof MethodSource method) {
            return method.getClassName();
        }
        return source instanceof ClassSource type ? type.getClassName() : "";
    }
}
