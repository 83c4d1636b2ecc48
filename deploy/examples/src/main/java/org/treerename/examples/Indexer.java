package org.treerename.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import org.treerename.writer.LockedException;
import org.treerename.writer.TreeLocks;
import org.treerename.writer.WriteHold;
import org.treerename.writer.WriterSettings;

/**
 * Writes documents into a directory of a tree of files, and holds it meanwhile, so that no rename leaves one of them behind.
 * Its arguments: the URL of Elasticsearch, the namespace, its index, the directory, how many documents, how many milliseconds
 * from one to the next, and the lease in milliseconds.
 *
 * <p>It ends with 0 where all are written, with 1 where others held the locks for too long or the directory is not there, and
 * with 3 where it lost the locks on the way: then it has to look where the directory is now, and to go on there.
 */
public final class Indexer {

    private static final int DONE = 0;
    private static final int NOT_NOW = 1;
    private static final int LOST = 3;

    /** Of a request that is sent before any lock is held. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String index;
    private final String directory;
    private final Duration timeout;

    /**
     * @param timeout of one write: shorter than half a lease, so that none is on its way when the lease is over, and than a third of
     *     the grace, after which an end gives back what is held
     */
    private Indexer(String index, String directory, Duration timeout) {
        this.index = index;
        this.directory = directory;
        this.timeout = timeout;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        String elasticsearch = args[0];
        String namespace = args[1];
        Duration lease = Duration.ofMillis(Long.parseLong(args[6]));
        Indexer indexer = new Indexer(elasticsearch + "/" + args[2], args[3], lease.dividedBy(4));
        WriterSettings settings = WriterSettings.of(elasticsearch)
                .withService("indexer")
                .withLease(lease)
                .withGrace(lease);
        indexer.connect();
        int code;
        try (TreeLocks treeLocks = TreeLocks.connect(settings);
                WriteHold held = treeLocks.write(namespace, args[3])) {
            held.onLoss(() -> tell("is told that it has lost " + held.directories()));
            tell("holds " + held.directories() + " as " + held.requestId());
            code = indexer.write(held, Integer.parseInt(args[4]), Long.parseLong(args[5]));
        } catch (LockedException e) {
            tell(String.valueOf(e.getMessage()));
            code = NOT_NOW;
        }
        tell("ends with " + code);
        System.exit(code);
    }

    private int write(WriteHold held, int documents, long everyMillis) throws IOException, InterruptedException {
        if (!isThere()) {
            tell("there is no directory " + directory);
            return NOT_NOW;
        }
        for (int i = 0; i < documents; i++) {
            if (!held.stillHeld()) {
                tell("stops after " + i + " documents");
                return LOST;
            }
            try {
                create("document-" + i);
            } catch (IOException e) {
                if (held.stillHeld()) {
                    throw e;
                }
                tell("stops at document " + i + ", which may be there or not");
                return LOST;
            }
            Thread.sleep(everyMillis);
        }
        return DONE;
    }

    /** Opens the connection before the locks are held: the first request of a process is its slowest. */
    private void connect() throws IOException, InterruptedException {
        post("/_refresh", "", CONNECT_TIMEOUT);
    }

    /** As it is while it is held: what a search sees without a refresh may be what was before. */
    private boolean isThere() throws IOException, InterruptedException {
        post("/_refresh", "");
        String query =
                "{\"query\":{\"bool\":{\"filter\":[{\"term\":{\"path\":%s}},{\"term\":{\"type\":\"directory\"}}]}}}"
                        .formatted(JSON.writeValueAsString(directory));
        return post("/_count", query).path("count").asInt() > 0;
    }

    private void create(String name) throws IOException, InterruptedException {
        String document = JSON.createObjectNode()
                .put("path", directory + "/" + name)
                .put("parent", directory)
                .put("name", name)
                .put("type", "file")
                .toString();
        post("/_create/" + UUID.randomUUID(), document);
    }

    private JsonNode post(String path, String body) throws IOException, InterruptedException {
        return post(path, body, timeout);
    }

    private JsonNode post(String path, String body, Duration limit) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(index + path))
                .timeout(limit)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(path + " was answered with " + response.statusCode() + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    private static void tell(String what) {
        System.out.println("the indexer " + what);
    }
}
