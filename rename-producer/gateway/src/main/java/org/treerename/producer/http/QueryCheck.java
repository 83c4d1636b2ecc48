package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Accepts a client's query only if the type of each clause is in a list. Elasticsearch processes every query with the
 * rights of the gateway, so a clause of another type could run a script, or read documents of another index. The types
 * in the list read only the documents that the query filters. The cost of a query is limited, too.
 */
final class QueryCheck {

    /** The largest cost of a query. */
    static final int MOST_COST = 2_048;

    /** The cost of a slow clause, in addition to the number of characters of its JSON. */
    private static final int SLOW_COST = 8;

    private static final int MOST_SHOWN = 40;
    private static final String STATES = "max_determinized_states";

    /** Checks the content of a clause, and counts the cost of the clause. */
    private interface Content {
        void check(QueryCheck check, String type, JsonNode content);
    }

    private static final SortedMap<String, Content> QUERIES = new TreeMap<>();

    /** The rules of a query of the type {@code intervals}. */
    private static final SortedMap<String, Content> RULES = new TreeMap<>();

    /** The filters of a rule. */
    private static final SortedMap<String, Content> FILTERS = new TreeMap<>();

    static {
        String[] quick = {"ids", "match_all", "match_none", "parent_id", "span_gap", "span_term", "term"};
        String[] text = {"match", "match_bool_prefix", "match_phrase", "match_phrase_prefix"};
        String[] texts = {"combined_fields", "multi_match", "simple_query_string"};
        String[] manyTerms = {"fuzzy", "prefix", "range", "wildcard"};
        String[] relations = {
            "after",
            "before",
            "contained_by",
            "containing",
            "not_contained_by",
            "not_containing",
            "not_overlapping",
            "overlapping"
        };
        put(QUERIES, QueryCheck::quick, quick);
        put(QUERIES, QueryCheck::slow, "exists"); // its field may be a pattern of many fields
        put(QUERIES, QueryCheck::slow, text);
        put(QUERIES, QueryCheck::slow, texts);
        put(QUERIES, QueryCheck::slow, manyTerms);
        put(QUERIES, QueryCheck::slow, "geo_bounding_box", "geo_distance");
        put(QUERIES, QueryCheck::automaton, "query_string", "regexp");
        put(QUERIES, QueryCheck::shape, "geo_shape", "shape");
        put(QUERIES, QueryCheck::terms, "terms");
        put(QUERIES, nested("filter", "must", "must_not", "should"), "bool");
        put(QUERIES, nested("negative", "positive"), "boosting");
        put(QUERIES, nested("filter"), "constant_score");
        put(QUERIES, nested("queries"), "dis_max");
        put(QUERIES, nested("query"), "field_masking_span", "nested");
        put(QUERIES, nested("big", "little"), "span_containing", "span_within");
        put(QUERIES, nested("match"), "span_first", "span_multi");
        put(QUERIES, nested("clauses"), "span_near", "span_or");
        put(QUERIES, nested("exclude", "include"), "span_not");
        put(QUERIES, QueryCheck::intervals, "intervals");
        put(RULES, QueryCheck::slow, manyTerms);
        put(RULES, QueryCheck::slow, "regexp");
        put(RULES, QueryCheck::rule, "all_of", "any_of", "match");
        put(FILTERS, (check, type, content) -> check.clauses(RULES, content), relations);
    }

    private int cost;

    private QueryCheck() {}

    private static void put(Map<String, Content> types, Content content, String... names) {
        for (String name : names) {
            types.put(name, content);
        }
    }

    /** Returns the allowed types of queries, in alphabetical order. */
    static Set<String> types() {
        return QUERIES.keySet();
    }

    /**
     * Checks a query and all its nested clauses.
     *
     * @throws ProblemException if the type of a clause is not allowed, or if the query is too expensive
     */
    static void check(JsonNode query) {
        new QueryCheck().clause(QUERIES, query);
    }

    private void clause(Map<String, Content> types, JsonNode clause) {
        if (!clause.isObject() || clause.size() != 1) {
            throw wrong("expected an object with one type of query, as in {\"term\":{\"owner\":\"me\"}}");
        }
        String type = clause.fieldNames().next();
        Content content = types.get(type);
        if (content == null) {
            throw wrong("found the type " + shown(type) + ", which is not allowed here; the allowed types are "
                    + String.join(", ", types.keySet()));
        }
        if (!clause.path(type).isObject()) {
            throw wrong("found no object as the content of " + type);
        }
        content.check(this, type, clause.path(type));
    }

    private void clauses(Map<String, Content> types, JsonNode json) {
        if (json.isArray()) {
            json.forEach(one -> clause(types, one));
        } else {
            clause(types, json);
        }
    }

    private void quick(String type, JsonNode content) {
        content.properties().forEach(field -> requireValues(type, field));
        if (content.valueStream().anyMatch(JsonNode::isObject)) {
            // an option such as case_insensitive compares many terms
            slow(type, content);
        } else {
            count(1);
        }
    }

    private void slow(String type, JsonNode content) {
        count(SLOW_COST + content.toString().length());
    }

    /** Elasticsearch limits the memory for a regular expression, unless the query raises this limit. */
    private void automaton(String type, JsonNode content) {
        slow(type, content);
        if (!content.findValues(STATES).isEmpty()) {
            throw wrong("the option " + STATES + " is not allowed in " + type);
        }
    }

    /** A clause that contains further clauses in these fields, and one value in every other field. */
    private static Content nested(String... places) {
        return (check, type, content) -> {
            check.count(1);
            content.properties().forEach(field -> {
                if (List.of(places).contains(field.getKey())) {
                    check.clauses(QUERIES, field.getValue());
                } else {
                    requireValue(type, field);
                }
            });
        };
    }

    /** An object in a query of the type {@code terms} would name a document that contains the terms. */
    private void terms(String type, JsonNode content) {
        count(1);
        content.properties().stream()
                .filter(field -> !field.getValue().isArray())
                .forEach(field -> requireValue(type, field));
        content.properties().forEach(field -> requireValues(type, field));
    }

    /**
     * Another option of a shape would name a document that contains the shape. Elasticsearch also reads the options of
     * an object in an array.
     */
    private void shape(String type, JsonNode content) {
        slow(type, content);
        content.properties().stream()
                .filter(field -> !field.getValue().isObject())
                .forEach(field -> requireValue(type, field));
        content.forEach(field -> field.properties().stream()
                .filter(option -> !option.getKey().equals("shape"))
                .forEach(option -> requireValue(type, option)));
    }

    private void intervals(String type, JsonNode content) {
        content.forEach(field -> clause(RULES, field));
    }

    private void rule(String type, JsonNode content) {
        slow(type, content);
        content.properties().forEach(field -> {
            switch (field.getKey()) {
                case "intervals" -> clauses(RULES, field.getValue());
                case "filter" -> clauses(FILTERS, field.getValue());
                default -> requireValue(type, field);
            }
        });
    }

    private static void requireValues(String type, Map.Entry<String, JsonNode> field) {
        if (field.getValue().isArray() && field.getValue().valueStream().anyMatch(JsonNode::isContainerNode)) {
            throw wrong("found an object or a list in the list " + shown(field.getKey()) + " of " + type
                    + ", which must contain only values");
        }
    }

    private static void requireValue(String type, Map.Entry<String, JsonNode> field) {
        if (field.getValue().isContainerNode()) {
            throw wrong("found an object or a list in the field " + shown(field.getKey()) + " of " + type
                    + ", which must be one value");
        }
    }

    private void count(int of) {
        cost += of;
        if (cost > MOST_COST) {
            throw wrong(
                    "the query is too expensive: a clause costs 1, and a clause that compares many terms or analyzes"
                            + " a text costs " + SLOW_COST
                            + " and 1 for each character of its JSON; the largest cost is "
                            + MOST_COST);
        }
    }

    private static String shown(String name) {
        return name.length() <= MOST_SHOWN ? name : name.substring(0, MOST_SHOWN) + "…";
    }

    private static ProblemException wrong(String detail) {
        return TreeQuestion.wrong(detail, "query");
    }
}
