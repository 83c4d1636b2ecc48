package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Answer;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.TreeChangedException;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.TreeViews;
import org.treerename.producer.reader.ViewExpiredException;
import org.treerename.producer.reader.ViewToken;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.store.RefusedException;
import org.treerename.tree.RawJson;

/**
 * Answers requests that read trees. All pages of one list or search come from one view. For the next page, the client
 * sends back the token of the view. Any thread may call this class.
 */
final class TreeApi {

    private final Trees trees;
    private final PageKeys keys;

    TreeApi(Trees trees, PageKeys keys) {
        this.trees = trees;
        this.keys = keys;
    }

    /** Returns a page of the entries directly below a path. */
    Answer list(String namespace, TreeQuestion question) {
        return answer(namespace, question, (view, at, after) -> {
            Page<Child> page = view.list(at, after, question.limit());
            ObjectNode json = json(view, at);
            ArrayNode entries = json.putArray("entries");
            page.items()
                    .forEach(child -> entries.addObject()
                            .put("path", child.path())
                            .put("directory", child.directory())
                            .put("documents", child.documents())
                            .put("below", child.below()));
            return new Part(json, page.next());
        });
    }

    /** Returns a page of the documents that match a query, or the number of all these documents. */
    Answer search(String namespace, TreeQuestion question) {
        RawJson query = question.query() == null ? null : RawJson.of(Json.write(question.query()));
        return answer(namespace, question, (view, at, after) -> {
            ObjectNode json = json(view, at);
            if (question.isCounting()) {
                json.put("count", view.count(at, question.reach(), query));
                return new Part(json, null);
            }
            Page<TreeEntry> page = view.find(at, question.reach(), query, after, question.limit());
            ArrayNode hits = json.putArray("hits");
            page.items().forEach(entry -> hits.add(hit(entry)));
            return new Part(json, page.next());
        });
    }

    private static ObjectNode hit(TreeEntry entry) {
        ObjectNode hit = Json.object()
                .put("path", entry.path())
                .put("index", entry.index())
                .put("id", entry.id());
        if (entry.routing() != null) {
            hit.put("routing", entry.routing());
        }
        hit.putRawValue("source", new RawValue(entry.source().toString()));
        return hit;
    }

    private static ObjectNode json(TreeView view, TreePath at) {
        return Json.object().put("path", at.text()).put("consistent", view.isConsistent());
    }

    /** Returns the definitions of the namespaces that the caller may read. */
    Answer namespaces(Caller caller) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("namespaces");
        for (String stored : trees.definitions()) {
            JsonNode namespace = Json.stored(stored);
            String name = namespace.path("namespace").asText();
            if (caller.may(Right.READ, name)) {
                array.addObject().put("name", name).set("definition", namespace.path("definition"));
            }
        }
        return Answer.json(Answer.OK, json);
    }

    Forecast forecast(RenameRequest request) {
        return trees.forecast(request);
    }

    /** A page, and the position of the next page. The position is null if there is no next page. */
    private record Part(ObjectNode json, @Nullable Position next) {}

    private interface Reading {
        Part read(TreeView view, TreePath at, @Nullable Position after);
    }

    private Answer answer(String name, TreeQuestion question, Reading reading) {
        Namespace namespace = (Namespace.isName(name) ? trees.namespace(name) : Optional.<Namespace>empty())
                .orElseThrow(() -> new ProblemException(
                        Problem.UNKNOWN_NAMESPACE,
                        "expected the name of a defined namespace; GET /v1/namespaces lists the names",
                        "namespace"));
        namespace.notation().problem(question.path()).ifPresent(problem -> {
            throw TreeQuestion.wrong(problem, "path");
        });
        TreePath at = namespace.notation().path(question.path());
        try {
            ViewToken token = question.after() == null ? null : token(question.after(), namespace, at);
            TreeView view = token == null
                    ? trees.views().open(namespace, at, new TreeViews.Options(false, question.mayBeInconsistent()))
                    : trees.views().reopen(namespace, token.view());
            return answer(view, at, token == null ? null : token.next(), reading);
        } catch (TreeChangedException e) {
            throw new ProblemException(
                    Problem.TREE_CHANGED, String.valueOf(e.getMessage()), null, Map.of("Retry-After", "1"));
        } catch (ViewExpiredException e) {
            throw new ProblemException(Problem.VIEW_EXPIRED, String.valueOf(e.getMessage()), "after");
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.INVALID_REQUEST, String.valueOf(e.getMessage()), null);
        } catch (RefusedException e) {
            if (!String.valueOf(e.getMessage()).contains(" answered 400")) {
                throw e;
            }
            throw question.after() == null
                    ? TreeQuestion.wrong("Elasticsearch refuses the query", "query")
                    : notAToken();
        }
    }

    /**
     * Returns one page of a view. If there is a next page, the point in time of the view remains open. Elasticsearch
     * closes the point in time after a minute without a query.
     */
    private Answer answer(TreeView view, TreePath at, @Nullable Position after, Reading reading) {
        boolean isEnded = true;
        try {
            Part part = reading.read(view, at, after);
            JsonNode next = null;
            if (part.next() != null) {
                isEnded = false;
                next = Json.object().textNode(keys.signed(new ViewToken(view.saved(), part.next()).text()));
            }
            part.json().set("next", next);
            return Answer.json(Answer.OK, part.json());
        } finally {
            if (isEnded) {
                view.close();
            }
        }
    }

    private ViewToken token(String text, Namespace namespace, TreePath at) {
        String verified = keys.verified(text).orElseThrow(TreeApi::notAToken);
        ViewToken token;
        try {
            token = ViewToken.of(verified, namespace.notation());
        } catch (IllegalArgumentException e) {
            throw notAToken();
        }
        boolean isOfThis = token.view().namespace().equals(namespace.name())
                && token.view().path().equals(at.text());
        if (!isOfThis) {
            throw notAToken();
        }
        return token;
    }

    private static ProblemException notAToken() {
        return TreeQuestion.wrong("expected the value of next from the previous page of the same path", "after");
    }
}
