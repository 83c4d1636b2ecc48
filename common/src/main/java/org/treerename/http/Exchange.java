package org.treerename.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;

/**
 * Reads one request to an {@link HttpServer} and writes the answer. Only the thread of the request calls this class.
 */
public final class Exchange implements Call.Headers {

    private final ServerRequest request;
    private final ServerResponse response;
    private final Map<String, String> headers;
    private final Connections connections;
    private boolean isLast;

    Exchange(ServerRequest request, ServerResponse response, Map<String, String> headers, Connections connections) {
        this.request = request;
        this.response = response;
        this.headers = headers;
        this.connections = connections;
    }

    public String method() {
        return request.prologue().method().text();
    }

    public String path() {
        return request.prologue().uriPath().rawPath();
    }

    @Override
    public List<String> values(String name) {
        HeaderName header = HeaderNames.create(name);
        return request.headers().contains(header)
                ? request.headers().get(header).allValues()
                : List.of();
    }

    /** Returns the common name of the client certificate of the connection; empty if there is none. */
    public Optional<String> certificateName() {
        return request.remotePeer()
                .tlsCertificates()
                .map(chain -> chain[0])
                .map(X509Certificate.class::cast)
                .map(X509Certificate::getSubjectX500Principal)
                .flatMap(Exchange::commonName);
    }

    /**
     * Returns the common name of the subject of a certificate; empty if the subject does not have exactly one. Parses the
     * whole subject, because another field of the subject may contain the text {@code CN=}.
     */
    static Optional<String> commonName(X500Principal subject) {
        try {
            List<String> names = new LdapName(subject.getName())
                    .getRdns().stream()
                            .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                            .map(rdn -> String.valueOf(rdn.getValue()))
                            .toList();
            return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    public Call call(Supplier<byte[]> body) {
        return new Call(method(), path(), request.prologue().query().rawValue(), this, body);
    }

    /**
     * Reads the whole body. If the body is too large, the server answers with status 413. If the body is incomplete or
     * arrives too slowly, the server closes the connection.
     */
    public byte[] body() {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        connections.begin(HttpServer.MAX_SENDING);
        try {
            // do not close the stream: close would read the rest of a body that was refused, for example because of its
            // size
            return request.content().inputStream().readAllBytes();
        } catch (RequestException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new CloseConnectionException("the body is incomplete", e);
        } finally {
            connections.done();
        }
    }

    public void send(Answer answer) {
        begun().status(answer.status()).header(HeaderNames.CONTENT_TYPE, answer.type());
        answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        boolean isEmpty = method().equals("HEAD") || answer.body().isEmpty();
        write(() -> {
            if (isEmpty) {
                response.send();
            } else {
                response.send(answer.bytes());
            }
        });
    }

    private boolean waitsForPermission() {
        return isUnread() && request.headers().containsToken(HeaderValues.EXPECT_100) && !request.continueSent();
    }

    private boolean isUnread() {
        return request.content().hasEntity() && !request.content().consumed();
    }

    /** Sends an answer, and closes the connection. The end of the request is not known. */
    void sendLast(Answer answer) {
        isLast = true;
        send(answer);
        throw new CloseConnectionException("the end of the request is not known");
    }

    /**
     * Ends the exchange after its answer. Reads and ignores the rest of the body, because the library would treat the
     * rest as the next request of the connection. The library limits the size of the body. Closes the connection if the
     * answer was announced as the last one.
     */
    void end() {
        if (isUnread() && !waitsForPermission()) {
            try {
                connections.within(
                        HttpServer.MAX_SENDING, () -> request.content().consume());
            } catch (RuntimeException e) {
                throw new CloseConnectionException("the body is incomplete or too large", e);
            }
        }
        if (isLast) {
            throw new CloseConnectionException("the answer was the last one of its connection");
        }
    }

    /** Sends an answer with the status 200. The body consists of the parts. This method does not copy them. */
    public void send(String type, List<byte[]> parts) {
        long length = parts.stream().mapToLong(part -> part.length).sum();
        ServerResponse begun = begun().header(HeaderNames.CONTENT_TYPE, type);
        begun.headers().contentLength(length);
        write(() -> {
            try (OutputStream out = begun.outputStream()) {
                for (byte[] part : parts) {
                    out.write(part);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the client does not read the answer", e);
            }
        });
    }

    /**
     * Adds the headers of every response, and returns the response. The caller writes the answer in parts with {@link
     * #write}.
     */
    public ServerResponse begun() {
        headers.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        if (isLast || waitsForPermission() || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            isLast = true;
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        return response;
    }

    /** Writes a part of the answer. Closes the connection if the client does not read the part in time. */
    public void write(Runnable part) {
        connections.within(HttpServer.MAX_TAKING, part);
    }
}
