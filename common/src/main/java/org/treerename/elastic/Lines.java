package org.treerename.elastic;

import co.elastic.clients.json.NdJsonpSerializable;
import co.elastic.clients.util.BinaryData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * The lines of a request with several items. Each item is an object of the typed client. The lines of an item are
 * written into a buffer as soon as the item is added. So the size of the request is known before the request is sent,
 * and no second copy of the documents is in memory.
 */
final class Lines {

    /** A stream that gives access to its buffer, so that the bytes are sent without a copy. */
    private static final class Buffer extends ByteArrayOutputStream {
        byte[] bytes() {
            return buf;
        }
    }

    private final Buffer buffer = new Buffer();

    int size() {
        return buffer.size();
    }

    /** Adds the lines of one item. A document that is {@link BinaryData} is added unchanged. */
    void add(NdJsonpSerializable item) {
        for (Iterator<?> parts = item._serializables(); parts.hasNext(); ) {
            Object part = parts.next();
            if (part instanceof NdJsonpSerializable lines && part != item) {
                add(lines);
            } else if (part != null) {
                write(part);
                buffer.write('\n');
            }
        }
    }

    private void write(Object part) {
        if (part instanceof BinaryData bytes) {
            try {
                bytes.writeTo(buffer);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            TypedJson.write(part, buffer);
        }
    }

    /** Adds all lines of another request. */
    void add(Lines other) {
        buffer.write(other.buffer.bytes(), 0, other.buffer.size());
    }

    /** Returns the body of the request. The body shares the buffer of these lines. */
    HttpEntity entity(ContentType type) {
        return new ByteArrayEntity(buffer.bytes(), 0, buffer.size(), type);
    }
}
