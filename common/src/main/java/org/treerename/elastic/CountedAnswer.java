package org.treerename.elastic;

import co.elastic.clients.transport.rest5_client.low_level.BufferedByteConsumer;
import co.elastic.clients.transport.rest5_client.low_level.HttpAsyncResponseConsumerFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentTooLongException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.support.AbstractAsyncResponseConsumer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one answer while they arrive. The counter may refuse further bytes: then the answer ends as if it
 * were too large. A thread of the HTTP client calls the counter.
 */
final class CountedAnswer implements HttpAsyncResponseConsumerFactory {

    private final int mostBytes;
    private final IntConsumer counter;
    private volatile @Nullable RuntimeException refusal;
    private final AtomicInteger counted = new AtomicInteger();

    /**
     * @param counter receives the number of bytes that have arrived; throws to refuse them
     */
    CountedAnswer(int mostBytes, IntConsumer counter) {
        this.mostBytes = mostBytes;
        this.counter = counter;
    }

    /** Returns the exception with which the counter has refused bytes; null if it has refused none. */
    @Nullable
    RuntimeException refusal() {
        return refusal;
    }

    /** Reports to the counter that no byte of the answer is kept. */
    void drop() {
        counter.accept(-counted.get());
    }

    private void count(int bytes) throws ContentTooLongException {
        try {
            counter.accept(bytes);
            counted.addAndGet(bytes);
        } catch (RuntimeException e) {
            refusal = e;
            throw new ContentTooLongException("the receiver refuses further bytes: " + e.getMessage());
        }
    }

    @Override
    public AsyncResponseConsumer<ClassicHttpResponse> createHttpAsyncResponseConsumer() {
        return new Response(new BufferedByteConsumer(mostBytes) {
            @Override
            protected void data(ByteBuffer bytes, boolean isLast) throws ContentTooLongException {
                count(bytes.remaining());
                super.data(bytes, isLast);
            }
        });
    }

    private static final class Response extends AbstractAsyncResponseConsumer<ClassicHttpResponse, ByteArrayEntity> {

        Response(BufferedByteConsumer body) {
            super(body);
        }

        @Override
        public void informationResponse(HttpResponse response, HttpContext context) {
            // the final response follows
        }

        @Override
        protected ClassicHttpResponse buildResult(
                HttpResponse response, ByteArrayEntity body, ContentType contentType) {
            BasicClassicHttpResponse result =
                    new BasicClassicHttpResponse(response.getCode(), response.getReasonPhrase());
            result.setEntity(body);
            result.setHeaders(response.getHeaders());
            return result;
        }
    }
}
