package org.treerename.elastic;

import co.elastic.clients.transport.rest5_client.low_level.Node;
import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.RequestOptions;
import co.elastic.clients.transport.rest5_client.low_level.Response;
import co.elastic.clients.transport.rest5_client.low_level.ResponseException;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import co.elastic.clients.transport.rest5_client.low_level.Rest5ClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic.Answer;
import org.treerename.installation.Installation;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.RawJson;

/**
 * Sends each request of the typed client and each raw request with the low-level client. So all requests have the same
 * limits, circuit breaker and observer. {@link AnswerStatus} classifies the failures of all requests.
 *
 * @param only the only node that receives requests; null for any node
 * @param circuit the circuit breaker; null for no circuit breaker
 * @param lane the connections of these requests
 */
record RequestSender(
        Rest5Client client,
        Installation installation,
        Elastic.Observer observer,
        @Nullable HttpHost only,
        @Nullable Circuit circuit,
        Lane lane)
        implements AutoCloseable {

    private static final byte[] NOTHING = {};

    /** The HTTP client does not limit the connections, because each {@link Lane} has its own limit. */
    private static final int UNLIMITED = 100_000;

    private static final RequestOptions PROBE_OPTIONS = RequestOptions.DEFAULT.toBuilder()
            .setRequestConfig(RequestConfig.custom()
                    .setResponseTimeout(Timeout.ofSeconds(2))
                    .build())
            .build();

    /** The only node to which the current request of this thread may go; null for any node. */
    private static final ThreadLocal<@Nullable HttpHost> ONLY = new ThreadLocal<>();

    static RequestSender of(Elastic.Settings settings, Elastic.Observer observer) {
        return new RequestSender(
                client(settings).build(), settings.installation(), observer, null, null, Lane.of(settings));
    }

    /** Returns a builder for an HTTP client with these settings. */
    static Rest5ClientBuilder client(Elastic.Settings settings) {
        Timeout timeout = Timeout.of(settings.timeout());
        Authorization authorization = settings.authorization();
        Header[] headers = authorization == null
                ? new Header[0]
                : new Header[] {new BasicHeader(HttpHeaders.AUTHORIZATION, authorization.header())};
        return Rest5Client.builder(settings.urls())
                .setDefaultHeaders(headers)
                // by default, the HTTP client retries a request one second after status 429 or 503; these retries are
                // disabled, because the callers retry with their own pauses
                .setHttpClientConfigCallback(HttpAsyncClientBuilder::disableAutomaticRetries)
                // the compression and decompression of a page take longer than the transfer of the uncompressed page
                .setRequestConfigCallback(config -> config.setResponseTimeout(timeout)
                        .setConnectionRequestTimeout(timeout)
                        .setContentCompressionEnabled(false))
                .setConnectionConfigCallback(
                        config -> config.setConnectTimeout(timeout).setSocketTimeout(timeout))
                .setConnectionManagerCallback(pool -> pool.setTlsStrategy(Tls.strategy(settings.tls()))
                        .setMaxConnPerRoute(UNLIMITED)
                        .setMaxConnTotal(UNLIMITED))
                .setNodeSelector(RequestSender::removeOtherNodes);
    }

    private static void removeOtherNodes(Iterable<Node> nodes) {
        HttpHost only = ONLY.get();
        for (Iterator<Node> it = nodes.iterator(); it.hasNext(); ) {
            Node node = it.next();
            if (only != null && !only.equals(node.getHost())) {
                it.remove();
            }
        }
    }

    RequestSender at(HttpHost node) {
        return new RequestSender(client, installation, observer, node, circuit, lane);
    }

    RequestSender behindCircuit() {
        return new RequestSender(client, installation, observer, only, new Circuit(), lane);
    }

    /** Returns a sender whose requests and the requests of this sender do not wait for each other. */
    RequestSender apart() {
        return new RequestSender(client, installation, observer, only, circuit, lane.apart());
    }

    /** Sends a probe if the circuit breaker is open and enough time has passed since the last probe. */
    void probe() {
        if (circuit != null) {
            circuit.probe(() -> {
                Request request = new Request("GET", controlDocuments() + "search");
                request.addParameter("size", "0");
                request.setOptions(PROBE_OPTIONS);
                try {
                    var unused = client.performRequest(request);
                } catch (ResponseException e) {
                    if (e.getResponse().getStatusCode() >= 500) {
                        throw e;
                    }
                }
            });
        }
    }

    /** Returns the beginning of the paths of all requests for documents of the control index. */
    private String controlDocuments() {
        return "/" + installation.controlIndex() + "/_";
    }

    /**
     * Sends a request and blocks until its answer arrives. Returns the answer if its status is 2xx, 404 or 409.
     *
     * @param name the method and the path, for the observer and for messages
     * @throws NoAnswerException if the effect of the request is unknown
     * @throws org.treerename.store.RefusedException if Elasticsearch refuses the request permanently
     * @throws TooLargeException if the answer has more bytes than the options of the request permit
     */
    Answer send(String name, Request request) {
        observer.asking();
        Elastic.Sent sent = observer.sending(name);
        int status = Elastic.NO_ANSWER;
        try {
            ONLY.set(only);
            if (circuit != null) {
                circuit.admit();
            }
            Answer answer = answerTo(request);
            status = answer.status();
            return AnswerStatus.checked(name, answer, name.contains(controlDocuments()));
        } catch (IOException e) {
            // a ConnectionRequestTimeoutException is no failure of Elasticsearch: this client has no free connection
            if (!AnswerStatus.isTooLarge(e) && !(e instanceof ConnectionRequestTimeoutException)) {
                reportToCircuit(c -> c.silent(e));
            }
            throw AnswerStatus.failure(name, e);
        } finally {
            ONLY.remove();
            sent.ended(status);
        }
    }

    private Answer answerTo(Request request) throws IOException {
        lane.acquire();
        try {
            Response response = client.performRequest(request);
            reportToCircuit(Circuit::answered);
            return answer(response);
        } catch (ResponseException e) {
            Answer answer = answer(e.getResponse());
            if (AnswerStatus.isFromNoCluster(answer)) {
                reportToCircuit(c -> c.silent(e));
            } else {
                reportToCircuit(Circuit::answered);
            }
            return answer;
        } finally {
            lane.release();
        }
    }

    /**
     * Reports a result to the circuit breaker. Does not report the result of a request that may use only one node,
     * because the other nodes may still answer, or of a request to one tree, because the other indices may be available.
     */
    private void reportToCircuit(Consumer<Circuit> report) {
        if (circuit != null && only == null && lane.isReported()) {
            report.accept(circuit);
        }
    }

    private static Answer answer(Response response) {
        HttpEntity entity = response.getEntity();
        try {
            return new Answer(
                    response.getStatusCode(),
                    new RawJson(entity == null ? NOTHING : EntityUtils.toByteArray(entity)),
                    response.getHost());
        } catch (IOException e) {
            throw new NoAnswerException("cannot read the whole response of Elasticsearch: " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the client of Elasticsearch", e);
        }
    }
}
