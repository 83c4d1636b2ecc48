package org.treerename.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a local stack in a process of its own until it is killed. */
final class StackHolder {
    private StackHolder() {}

    /** Arguments: the stack's folder; the file that says, once both are ready, where they answer. */
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
