package org.treerename.benchmark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.treerename.runtime.Time;
import redis.embedded.core.ExecutableProvider;

/** Runs one Redis on 127.0.0.1 in a separate process. Redis writes no data to the disk. */
record Redis(int port) {

    /**
     * A shell command that ends the server when the standard input of the command ends. So the server ends when this
     * process ends, even if this process is killed.
     */
    private static final String TETHERED = "\"$0\" \"$@\" & server=$!; cat > /dev/null; kill -9 $server";

    private static final int END_SECONDS = 10;

    /** Starts a Redis, which runs until the end of the stage. */
    static Redis start(Stage stage, Time time) throws IOException {
        Path folder = stage.folder("redis");
        File program =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
        int port = ZooKeeper.freePort();
        Process process = new ProcessBuilder(
                        "setsid",
                        "sh",
                        "-c",
                        TETHERED,
                        program.getAbsolutePath(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("redis.log").toFile()))
                .start();
        stage.atEnd(() -> end(process));
        ZooKeeper.awaitPort("Redis", port, time);
        return new Redis(port);
    }

    private static void end(Process process) {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "Redis: expected its end within " + END_SECONDS + " s after kill -9, but it is alive");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String address() {
        return "redis://127.0.0.1:" + port;
    }
}
