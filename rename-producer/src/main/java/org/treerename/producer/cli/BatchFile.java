package org.treerename.producer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.treerename.path.Namespace;

/**
 * The renames of one batch, in a copy of what was given, so that what changes there meanwhile changes nothing.
 *
 * <p>The id of a batch is a hash of every byte of it and of what the command line gives to all of its lines; a line without
 * a request id of its own has that and its number for one. So the same line of the same batch is the same request however
 * often it is sent, and nothing needs to be stored to know it again.
 */
final class BatchFile implements Closeable {

    /**
     * What the command line says for lines that do not say it.
     *
     * @param label makes the batch another one
     * @param namespaces definitions whose paths can be looked at
     */
    record Defaults(
            String namespace, String onExisting, String requestedBy, String label, List<Namespace> namespaces) {}

    private static final int ID_DIGITS = 32;

    private final Path copy;
    private final String id;
    private final Defaults defaults;

    private BatchFile(Path copy, String id, Defaults defaults) {
        this.copy = copy;
        this.id = id;
        this.defaults = defaults;
    }

    /** Reads all that there is, once. */
    static BatchFile copyOf(InputStream in, Defaults defaults) throws IOException {
        Path copy = Files.createTempFile("rename-batch", null);
        try (OutputStream file = Files.newOutputStream(copy);
                DigestOutputStream out = new DigestOutputStream(file, sha256())) {
            in.transferTo(out);
            for (String given :
                    List.of(defaults.namespace(), defaults.onExisting(), defaults.requestedBy(), defaults.label())) {
                out.getMessageDigest().update((byte) 0);
                out.getMessageDigest().update(given.getBytes(StandardCharsets.UTF_8));
            }
            String hash = HexFormat.of().formatHex(out.getMessageDigest().digest());
            return new BatchFile(copy, "batch-" + hash.substring(0, ID_DIGITS), defaults);
        } catch (IOException e) {
            Files.delete(copy);
            throw e;
        }
    }

    String id() {
        return id;
    }

    /** Its lines from the first one on. */
    BatchReader read() throws IOException {
        return new BatchReader(new Lines(Files.newInputStream(copy)), id, defaults);
    }

    @Override
    public void close() throws IOException {
        Files.delete(copy);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
