package org.treerename.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a local stack in a separate process until this process is killed. */
final class StackHolder {
    private StackHolder() {}

    /**
     * @param arguments the folder of the stack, and the file for the addresses, which is written when both servers are
     *     ready
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
