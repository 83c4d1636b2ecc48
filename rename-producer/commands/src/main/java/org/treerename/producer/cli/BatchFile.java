package org.treerename.producer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.HexFormat;
import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.store.Sha256;

/**
 * A copy of the lines of one batch. A later change of the input has no effect on the copy.
 *
 * <p>The id of a batch is a hash of all bytes of the input and of the values on the command line. If a line contains no
 * request id, its request id consists of the batch id and the number of the line. So the same line of the same batch
 * always has the same request id. The command need not store this id.
 */
final class BatchFile implements Closeable {

    /**
     * The values from the command line for lines that do not contain these values.
     *
     * @param label a text on which the batch id depends; with another label, the same content results in other request
     *     ids
     * @param namespaces the definitions of the namespaces in which the command checks the paths
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

    /** Copies the whole input into a temporary file. */
    static BatchFile copyOf(InputStream in, Defaults defaults) throws IOException {
        Path copy = Files.createTempFile("rename-batch", null);
        try (OutputStream file = Files.newOutputStream(copy);
                DigestOutputStream out = new DigestOutputStream(file, Sha256.digest())) {
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

    /** Returns a reader that begins at the first line. */
    BatchReader read() throws IOException {
        return new BatchReader(new Lines(Files.newInputStream(copy)), id, defaults);
    }

    @Override
    public void close() throws IOException {
        Files.delete(copy);
    }
}
