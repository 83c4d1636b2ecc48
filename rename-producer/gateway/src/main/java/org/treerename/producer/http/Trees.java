package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.treerename.namespace.Namespace;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.reader.TreeViews;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Reads trees and definitions of namespaces, and computes forecasts of renames. Each call may throw {@link
 * org.treerename.store.NoAnswerException} or {@link org.treerename.store.RefusedException}.
 */
interface Trees {

    /** Returns the definition of a namespace; empty if there is no namespace with this name. */
    Optional<Namespace> namespace(String name);

    /**
     * Returns an object that opens views.
     *
     * @param counter receives the number of bytes of each part of an answer of Elasticsearch; an exception of the
     *     counter ends the search
     */
    TreeViews views(IntConsumer counter);

    /** Returns the stored definitions of the namespaces. */
    List<JsonNode> definitions();

    /** Returns the result that a rename would have now. */
    Forecast forecast(RenameRequest request);
}
