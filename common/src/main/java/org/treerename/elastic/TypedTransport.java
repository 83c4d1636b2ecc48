package org.treerename.elastic;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.transport.ElasticsearchTransportBase;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.transport.instrumentation.NoopInstrumentation;
import co.elastic.clients.util.BinaryData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;

/**
 * Sends the request of one call of the typed client. This class passes the request to the {@link RequestSender}, and
 * opens no connection itself. The request has the same headers as a raw request, so its media type has no version. This
 * class accepts an answer without the header {@code X-Elastic-Product}, because a proxy may remove that header.
 */
final class TypedTransport extends ElasticsearchTransportBase {

    private final Exchange exchange;

    TypedTransport(RequestSender sender) {
        this(new Exchange(sender));
    }

    private TypedTransport(Exchange exchange) {
        super(exchange, null, TypedJson.MAPPER, NoopInstrumentation.INSTANCE);
        this.exchange = exchange;
    }

    /**
     * Sends the request of a call and blocks until its answer arrives.
     *
     * @throws NoAnswerException if no complete answer arrives, or the status of the answer is 404 or 409
     * @throws org.treerename.store.RefusedException if Elasticsearch refuses the request permanently
     */
    <T> T ask(Elastic.Call<T> call) {
        try {
            T answer = call.of(new ElasticsearchClient(this));
            if (exchange.status >= HttpStatus.SC_BAD_REQUEST) {
                // the client decodes an error as an answer if all fields of the answer type are optional
                throw new NoAnswerException(exchange.request + " answered " + exchange.status, null);
            }
            return answer;
        } catch (ElasticsearchException e) {
            throw new NoAnswerException(exchange.request + " failed: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new NoAnswerException(
                    "cannot decode the answer to " + exchange.request + ": " + e.getMessage() + ", " + e.getCause(), e);
        }
    }

    /** Sends the request of a call. Returns empty if the index does not exist. */
    <T> Optional<T> askIndex(Elastic.Call<T> call) {
        try {
            return Optional.of(ask(call));
        } catch (NoAnswerException e) {
            if (e.getCause() instanceof ElasticsearchException && isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns whether the status of the last answer is 404. */
    boolean isNotFound() {
        return exchange.status == HttpStatus.SC_NOT_FOUND;
    }

    /** Returns the node that sent the last answer. */
    HttpHost node() {
        if (exchange.node == null) {
            throw new NoAnswerException("expected an answer from a node, found none", null);
        }
        return exchange.node;
    }

    private static final class Exchange implements TransportHttpClient {

        private final RequestSender sender;
        private @Nullable HttpHost node;

        private String request = "a request that was not sent";

        /** The status of the last answer; 0 while there is no answer. */
        private int status;

        Exchange(RequestSender sender) {
            this.sender = sender;
        }

        @Override
        public Response performRequest(
                String endpointId, @Nullable Node any, Request request, TransportOptions options) {
            var raw = new co.elastic.clients.transport.rest5_client.low_level.Request(request.method(), request.path());
            raw.addParameters(request.queryParams());
            if (request.body() != null) {
                ByteBuffer body = only(request.body());
                raw.setEntity(new ByteArrayEntity(
                        body.array(),
                        body.arrayOffset() + body.position(),
                        body.remaining(),
                        ContentType.APPLICATION_JSON));
            }
            status = 0;
            this.request = request.method() + " " + request.path();
            Elastic.Answer answer = sender.send(this.request, raw);
            requireObject(answer);
            status = answer.status();
            node = answer.node();
            return new Received(answer);
        }

        /** Only bulks and multi-searches have several buffers, and {@link RawRequests} sends these requests. */
        private static ByteBuffer only(Iterable<ByteBuffer> body) {
            Iterator<ByteBuffer> buffers = body.iterator();
            ByteBuffer first = buffers.next();
            if (buffers.hasNext()) {
                throw new IllegalArgumentException("expected a request with one buffer, found more");
            }
            return first;
        }

        /** A proxy may answer with another body or none, which the typed client cannot decode. */
        private void requireObject(Elastic.Answer answer) {
            byte[] body = answer.body();
            int begin = 0;
            while (begin < body.length && Character.isWhitespace(body[begin])) {
                begin++;
            }
            if (begin == body.length || body[begin] != '{') {
                throw new NoAnswerException(
                        "expected a JSON object as the answer to " + request + ", found status " + answer.status()
                                + " and a body that is no JSON object (bytes: " + body.length + ")",
                        null);
            }
        }

        @Override
        public CompletableFuture<Response> performRequestAsync(
                String endpointId, @Nullable Node any, Request request, TransportOptions options) {
            throw new UnsupportedOperationException(
                    "the typed client supports only blocking calls, found an asynchronous call");
        }

        @Override
        public void close() {
            // nothing to close: the sender owns the connections
        }
    }

    private record Received(Elastic.Answer answer) implements TransportHttpClient.Response {

        @Override
        public TransportHttpClient.Node node() {
            return new TransportHttpClient.Node(answer.node().toURI());
        }

        @Override
        public int statusCode() {
            return answer.status();
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals("X-Elastic-Product") ? "Elasticsearch" : null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public BinaryData body() {
            return BinaryData.of(answer.body(), ContentType.APPLICATION_JSON.getMimeType());
        }

        @Override
        public @Nullable Object originalResponse() {
            return null;
        }

        @Override
        public void close() {
            // nothing to close: the answer has been read completely
        }
    }
}
