package com.example;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;

/** A program whose only dependency is the library of tree rename. */
public final class Outsider {

    private Outsider() {}

    /**
     * Renames one directory and prints the outcome.
     *
     * @param arguments Kafka's addresses and a request id
     */
    public static void main(String[] arguments) throws Exception {
        try (RenameProducer producer = RenameProducer.connect(ProducerSettings.of(arguments[0]))) {
            RenameRequest request = producer.rename("papers", "/drafts", "/archive/2026")
                    .requestId(arguments[1])
                    .replace()
                    .requestedBy("an outsider")
                    .build();
            CompletableFuture<Void> acknowledged = new CompletableFuture<>();
            CompletableFuture<Outcome> future = producer.send(request, new ProgressListener() {
                @Override
                public void acknowledged() {
                    acknowledged.complete(null);
                }

                @Override
                public void progressed(RenameProgress progress) {
                    System.out.println(progress.moved() + " of " + progress.expected());
                }
            });
            acknowledged.get(1, TimeUnit.MINUTES);
            Outcome outcome = future.get(1, TimeUnit.MINUTES);
            System.out.println(
                    outcome.requestId() + " " + outcome.status().published() + " " + outcome.moved());
        }
    }
}
