package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Answer;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.http.Api.Reply;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.SlowSearchException;
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
 * sends back the token of the view.
 */
final class TreeApi {

    /** While an answer of Elasticsearch arrives and is read, its bytes are in memory up to three times. */
    private static final int COPIES = 3;

    private final Trees trees;
    private final PageKeys keys;
    private final CallerShares searches;

    /** @param searches the largest number of searches that one caller may run at the same time */
    TreeApi(Trees trees, PageKeys keys, int searches) {
        this.trees = trees;
        this.keys = keys;
        this.searches = new CallerShares(searches);
    }

    /** Returns a page of the entries directly below a path. */
    Reply list(String namespace, TreeQuestion question, Caller caller, MemoryBudget.Share memory) {
        return answer(namespace, question, caller, memory, (view, at, after) -> {
            Page<Child> page = view.list(at, after, question.limit());
            ObjectNode json = json(view, at);
            ArrayNode entries = json.putArray("entries");
            page.items()
                    .forEach(child -> entries.addObject()
                            .put("path", child.path())
                            .put("directory", child.directory())
                            .put("documents", child.documents())
                            .put("below", child.below()));
            return new Part(json, null, page.next());
        });
    }

    /** Returns a page of the documents that match a query, or the number of all these documents. */
    Reply search(String namespace, TreeQuestion question, Caller caller, MemoryBudget.Share memory) {
        RawJson query = question.query() == null ? null : RawJson.of(Json.write(question.query()));
        return answer(namespace, question, caller, memory, (view, at, after) -> {
            ObjectNode json = json(view, at);
            if (question.isCounting()) {
                json.put("count", view.count(at, question.reach(), query));
                return new Part(json, null, null);
            }
            Page<TreeEntry> page = view.find(at, question.reach(), query, after, question.limit());
            return new Part(json, page.items(), page.next());
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
        return hit;
    }

    private static ObjectNode json(TreeView view, TreePath at) {
        return Json.object().put("path", at.text()).put("consistent", view.isConsistent());
    }

    /** Returns the definitions of the namespaces that the caller may read. */
    Answer namespaces(Caller caller) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("namespaces");
        for (JsonNode namespace : trees.definitions()) {
            String name = namespace.path("namespace").asText();
            if (caller.may(Right.READ, name)) {
                array.addObject().put("name", name).set("definition", namespace.path("definition"));
            }
        }
        return Answer.json(Answer.OK, json);
    }

    Forecast forecast(RenameRequest request, Caller caller) {
        return searches.run(caller.name(), () -> trees.forecast(request));
    }

    /** A page. The JSON has all other fields; {@code hits} is null if the page has no documents. */
    private record Part(
            ObjectNode json,
            @Nullable List<TreeEntry> hits,
            @Nullable Position next) {

        /** The sources of the documents are not copied. */
        List<byte[]> body(@Nullable String token) {
            if (hits == null) {
                return List.of(bytes(Json.write(json.put("next", token))));
            }
            List<byte[]> body = new ArrayList<>();
            String before = open(json) + ",\"hits\":[";
            for (TreeEntry entry : hits) {
                body.add(bytes(before + open(hit(entry)) + ",\"source\":"));
                body.add(entry.source().bytes());
                before = "},";
            }
            String after = Json.write(Json.object().put("next", token)).substring(1);
            body.add(bytes((hits.isEmpty() ? before : "}") + "]," + after));
            return List.copyOf(body);
        }

        private static String open(ObjectNode object) {
            String json = Json.write(object);
            return json.substring(0, json.length() - 1);
        }

        private static byte[] bytes(String json) {
            return json.getBytes(StandardCharsets.US_ASCII);
        }
    }

    private interface Reading {
        Part read(TreeView view, TreePath at, @Nullable Position after);
    }

    private Reply answer(
            String name, TreeQuestion question, Caller caller, MemoryBudget.Share memory, Reading reading) {
        TreeViews views = trees.views(bytes -> memory.reserve((long) COPIES * bytes));
        return searches.run(caller.name(), () -> answer(name, question, views, reading));
    }

    private Reply answer(String name, TreeQuestion question, TreeViews views, Reading reading) {
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
                    ? views.open(namespace, at, new TreeViews.Options(false, question.mayBeInconsistent()))
                    : views.reopen(namespace, token.view());
            return answer(view, at, token == null ? null : token.next(), reading);
        } catch (TreeChangedException e) {
            throw new ProblemException(
                    Problem.TREE_CHANGED, String.valueOf(e.getMessage()), null, Map.of("Retry-After", "1"));
        } catch (SlowSearchException e) {
            throw new ProblemException(
                    Problem.SEARCH_TOO_SLOW, String.valueOf(e.getMessage()), null, Map.of("Retry-After", "5"));
        } catch (ViewExpiredException e) {
            throw new ProblemException(Problem.VIEW_EXPIRED, String.valueOf(e.getMessage()), "after");
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.INVALID_REQUEST, String.valueOf(e.getMessage()), null);
        } catch (RefusedException e) {
            if (!String.valueOf(e.getMessage()).contains(" answered 400")) {
                throw e;
            }
            if (question.query() != null) {
                throw TreeQuestion.wrong("Elasticsearch refuses the query", "query");
            }
            throw question.after() == null ? e : notAToken();
        }
    }

    /**
     * If there is a next page, or a page after the first one fails, the point in time remains open. Elasticsearch
     * closes it after a minute without a query.
     */
    private Reply answer(TreeView view, TreePath at, @Nullable Position after, Reading reading) {
        boolean isEnded = after == null; // a later page that fails can be requested again
        try {
            Part part = reading.read(view, at, after);
            isEnded = part.next() == null;
            return new Reply.Parts(part.body(
                    part.next() == null ? null : keys.signed(new ViewToken(view.saved(), part.next()).text())));
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
