package org.treerename.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.treerename.runtime.SystemTime;

/** Starts {@link Up} as a separate process in a separate session, and waits until the stack is ready. */
final class DetachedUp {

    private static final Duration READY = Duration.ofMinutes(6);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration END = Duration.ofSeconds(60);

    private final List<String> arguments;
    private final Path log = DeployFolder.stack().resolve("up.log");

    DetachedUp(List<String> arguments) {
        this.arguments = arguments;
    }

    int start() {
        // throw an exception if a stack runs already, because the log of that stack must not be overwritten
        UpLock.take(DeployFolder.stack()).close();
        Process process = process();
        Thread interrupted = new Thread(() -> stop(process), "not-ready");
        Runtime.getRuntime().addShutdownHook(interrupted);
        boolean decided =
                new Patience(new SystemTime(), POLL).until(READY, () -> !process.isAlive() || isReady(process));
        if (!decided || !process.isAlive()) {
            stop(process);
            System.err.println("up: the local stack did not start; the end of " + log + ":");
            System.err.println(LogEnd.of(log));
            return Commands.FAILED;
        }
        Runtime.getRuntime().removeShutdownHook(interrupted);
        System.out.println(LogEnd.of(log));
        return Commands.DONE;
    }

    private Process process() {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            words.add("/usr/bin/setsid");
        }
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Up.class.getName()));
        words.addAll(arguments);
        try {
            return new ProcessBuilder(words)
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the local stack", e);
        }
    }

    private static boolean isReady(Process process) {
        return StackEnv.read(DeployFolder.stackEnv())
                .filter(env -> env.isOf(process.pid()))
                .isPresent();
    }

    private static void stop(Process process) {
        process.destroy();
        try {
            process.onExit().get(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        }
    }
}
