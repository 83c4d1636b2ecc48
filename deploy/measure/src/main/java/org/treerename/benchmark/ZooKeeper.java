package org.treerename.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.treerename.runtime.Time;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/**
 * Runs one ZooKeeper on 127.0.0.1 in a separate process. With the default settings, ZooKeeper syncs its log to the
 * disk.
 */
record ZooKeeper(ChildProcess process, int port) {

    private static final String MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final Duration READY = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String SETTINGS = """
            tickTime=2000
            dataDir=%s
            clientPort=%d
            clientPortAddress=127.0.0.1
            maxClientCnxns=0
            admin.enableServer=false
            """;

    /** Starts a ZooKeeper, and waits until it accepts connections. The ZooKeeper ends with the stage. */
    static ZooKeeper start(Stage stage, Time time) throws IOException {
        Path folder = stage.folder("zookeeper");
        int port = freePort();
        Path settings = folder.resolve("zoo.cfg");
        Files.writeString(settings, SETTINGS.formatted(folder.resolve("data"), port));
        ChildProcess process = JavaCommand.of(
                        MAIN, System.getProperty("java.class.path"), folder.resolve("zookeeper.log"))
                .jvmOptions("-Xmx512m", "-Dlogback.configurationFile=org/treerename/benchmark/logback-benchmark.xml")
                .arguments(settings.toString())
                .start();
        stage.atEnd(process::kill);
        awaitPort("ZooKeeper", port, time);
        return new ZooKeeper(process, port);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Blocks until a server accepts connections on the port. */
    static void awaitPort(String server, int port, Time time) {
        long begun = time.nanos();
        while (time.nanos() - begun < READY.toNanos()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                time.pause(POLL);
            }
        }
        throw new IllegalStateException(server + ": expected that the server listens on port " + port + " within "
                + READY + ", but no connection succeeded");
    }
}
