package org.treerename.elastic;

import co.elastic.clients.json.JsonpSerializable;
import co.elastic.clients.transport.rest5_client.low_level.HttpAsyncResponseConsumerFactory.BasicAsyncResponseConsumerFactory;
import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.RequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.function.IntConsumer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic.Answer;

/**
 * Sends requests and returns each answer as bytes. Most requests use the typed client ({@link Elastic#ask}). The
 * requests of this class are the exceptions:
 *
 * <ul>
 *   <li>Reads of documents of trees. A move needs the exact bytes of each {@code _source}, but the typed client parses
 *       the {@code _source}. {@link SearchAnswer} returns the bytes of the answer.
 *   <li>Settings, mappings and aliases of the indices of users. The typed client throws if an answer contains an
 *       unknown analyzer, field type or parameter. A second reason: the comparison of the control index with its
 *       definition needs the JSON of the answer.
 *   <li>Bulks. The typed answer to a bulk requires fields that {@code filter_path} removes. {@link BulkAnswer} reads an
 *       answer without these fields. The items of a bulk are objects of the typed client.
 *   <li>The versions of the nodes. The typed answer requires fields that {@code filter_path} removes.
 *   <li>Searches of the control index. The JVM loads 509 classes for the first typed answer to a search. The load takes
 *       30 to 50 ms of processor time with a class archive, and 110 ms without a class archive. A command such as
 *       {@code rename list} would need this time at each start. The bodies of the searches are objects of the typed
 *       client.
 * </ul>
 */
public final class RawRequests {

    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");

    private final RequestSender sender;

    RawRequests(RequestSender sender) {
        this.sender = sender;
    }

    Answer get(String path) {
        return send("GET", path, null, RequestOptions.DEFAULT);
    }

    public Answer post(String path) {
        return send("POST", path, null, RequestOptions.DEFAULT);
    }

    Answer post(String path, JsonNode body) {
        return send("POST", path, json(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    public Answer post(String path, JsonpSerializable body) {
        return send("POST", path, json(TypedJson.bytes(body)), RequestOptions.DEFAULT);
    }

    /**
     * Posts JSON. The answer may be large.
     *
     * @param counter receives the number of bytes of each part of the answer; an exception of the counter ends the
     *     request, and this method throws the same exception. A thread of the HTTP client calls the counter. If the
     *     answer is too large, the counter receives the negative number of all these bytes
     * @throws TooLargeException if the answer has more than {@code mostBytes} bytes
     */
    public Answer post(String path, JsonpSerializable body, int mostBytes, IntConsumer counter) {
        CountedAnswer counted = new CountedAnswer(mostBytes, counter);
        RequestOptions options = RequestOptions.DEFAULT.toBuilder()
                .setHttpAsyncResponseConsumerFactory(counted)
                .build();
        try {
            return send("POST", path, json(TypedJson.bytes(body)), options);
        } catch (TooLargeException e) {
            RuntimeException refusal = counted.refusal();
            if (refusal != null) {
                throw refusal;
            }
            counted.drop();
            throw e;
        }
    }

    /**
     * Posts JSON. The answer may be large.
     *
     * @throws TooLargeException if the answer has more than {@code mostBytes} bytes
     */
    public Answer post(String path, JsonpSerializable body, int mostBytes) {
        return send("POST", path, json(TypedJson.bytes(body)), withMostBytes(mostBytes));
    }

    Answer put(String path, JsonNode body) {
        return send("PUT", path, json(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    /** Posts lines of JSON. The caller must not change the lines during the call. */
    Answer post(String path, Lines lines) {
        return send("POST", path, lines.entity(NDJSON), RequestOptions.DEFAULT);
    }

    /**
     * Posts lines of JSON. The answer may be large.
     *
     * @throws TooLargeException if the answer has more than {@code mostBytes} bytes
     */
    Answer post(String path, Lines lines, int mostBytes) {
        return send("POST", path, lines.entity(NDJSON), withMostBytes(mostBytes));
    }

    private static RequestOptions withMostBytes(int mostBytes) {
        return RequestOptions.DEFAULT.toBuilder()
                .setHttpAsyncResponseConsumerFactory(new BasicAsyncResponseConsumerFactory(mostBytes))
                .build();
    }

    private static HttpEntity json(byte[] json) {
        return new ByteArrayEntity(json, ContentType.APPLICATION_JSON);
    }

    private Answer send(String method, String path, @Nullable HttpEntity body, RequestOptions options) {
        URI uri = URI.create(path);
        Request request = new Request(method, uri.getRawPath());
        request.setOptions(options);
        if (uri.getQuery() != null) {
            for (String parameter : uri.getQuery().split("&", -1)) {
                int equals = parameter.indexOf('=');
                request.addParameter(parameter.substring(0, equals), parameter.substring(equals + 1));
            }
        }
        if (body != null) {
            request.setEntity(body);
        }
        return sender.send(method + " " + path, request);
    }
}
