package org.treerename.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a local stack in a separate process until this process is killed. */
final class StackHolder {
    private StackHolder() {}

    /**
     * @param arguments the folder of the stack, and a file. The program writes the addresses of both servers into this
     *     file when the servers are ready.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        LocalStack stack = LocalStack.start(Path.of(arguments[0]));
        Path ready = Path.of(arguments[1]);
        Path whole = Files.writeString(
                ready.resolveSibling("part"),
                stack.elasticsearch().url() + "\n" + stack.kafka().bootstrapServers());
        Files.move(whole, ready);
        new CountDownLatch(1).await();
    }
}
