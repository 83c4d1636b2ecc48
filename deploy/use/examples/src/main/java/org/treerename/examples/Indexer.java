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
import org.treerename.producer.writer.LockedException;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriteHold;
import org.treerename.producer.writer.WriterSettings;

/**
 * Writes documents into a directory of a tree of files. The program holds the locks of the directory during the writes.
 * Otherwise a rename could move the directory and leave a new document at the old path.
 *
 * <p>Arguments:
 * <ol>
 *   <li>the URL of Elasticsearch;
 *   <li>the namespace;
 *   <li>the index of the namespace;
 *   <li>the directory;
 *   <li>the number of documents;
 *   <li>the time between two documents, in milliseconds;
 *   <li>the lease, in milliseconds.
 * </ol>
 *
 * <p>Exit codes:
 * <ul>
 *   <li>0: all documents are written.
 *   <li>1: other requests held the locks for too long, or the directory does not exist.
 *   <li>3: the locks were lost during the writes. A real program would find the directory again, and continue at the
 *       new path of the directory.
 * </ul>
 */
public final class Indexer {

    private static final int DONE = 0;
    private static final int NOT_NOW = 1;
    private static final int LOST = 3;

    /** The timeout of a request that is sent before the locks are acquired. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String index;
    private final String directory;
    private final Duration timeout;

    /**
     * @param timeout the timeout of one write. The timeout is shorter than half a lease, so that no write is in
     *     progress after the end of the lease. The timeout is also shorter than a third of the grace period, because an
     *     ending process releases its locks after this third
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
            held.onLoss(() -> print("has lost the locks of " + held.directories()));
            print("holds " + held.directories() + " as " + held.requestId());
            code = indexer.write(held, Integer.parseInt(args[4]), Long.parseLong(args[5]));
        } catch (LockedException e) {
            print(String.valueOf(e.getMessage()));
            code = NOT_NOW;
        }
        print("ends with exit code " + code);
        System.exit(code);
    }

    private int write(WriteHold held, int documents, long everyMillis) throws IOException, InterruptedException {
        if (!exists()) {
            print("there is no directory " + directory);
            return NOT_NOW;
        }
        for (int i = 0; i < documents; i++) {
            if (!held.stillHeld()) {
                print("stops, because the locks are lost; created documents: " + i);
                return LOST;
            }
            try {
                create("document-" + i);
            } catch (IOException e) {
                if (held.stillHeld()) {
                    throw e;
                }
                print("stops at document " + i + ", because the locks are lost; this document may or may not exist");
                return LOST;
            }
            Thread.sleep(everyMillis);
        }
        return DONE;
    }

    /** Sends a first request before the locks are acquired, because the first request of a process is the slowest. */
    private void connect() throws IOException, InterruptedException {
        post("/_refresh", "", CONNECT_TIMEOUT);
    }

    /**
     * Returns whether the directory exists now. Refreshes the index first, because a search without a refresh may miss
     * recent changes.
     */
    private boolean exists() throws IOException, InterruptedException {
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
            throw new IOException(
                    path + ": expected a status below 300, was " + response.statusCode() + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    private static void print(String event) {
        System.out.println("the indexer " + event);
    }
}
