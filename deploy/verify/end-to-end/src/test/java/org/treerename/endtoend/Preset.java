package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.treerename.path.Notation;

/**
 * A namespace definition in {@code deploy/run/namespaces}. Each definition is written for one project. The tests use
 * the mapping and the documents of this project.
 */
enum Preset {
    PLAIN("""
            {"properties": {"path": {"type": "keyword"}}}""", "{}") {
        @Override
        String source(Notation notation, int number, String createdAt, String now) {
            return "{\"title\":\"document %d\",\"path\":%s}".formatted(number, quoted(now));
        }
    },

    GUIDE("""
            {"properties": {"name": {"type": "keyword"}, "path": {"type": "keyword",
              "fields": {"tree": {"type": "text", "analyzer": "paths"}}}, "contents": {"type": "text"}}}""", """
            {"analysis": {"analyzer": {"paths": {"tokenizer": "path_hierarchy"}}}}""") {
        @Override
        String source(Notation notation, int number, String createdAt, String now) {
            return "{\"name\":%s,\"path\":%s,\"contents\":\"text %d\"}"
                    .formatted(quoted(notation.nameOf(now)), quoted(notation.parentOf(now)), number);
        }
    },

    FSCRAWLER("""
            {"properties": {
              "path": {"properties": {
                "real": {"type": "keyword", "fields": {"tree": {"type": "text", "analyzer": "fscrawler_path", "fielddata": true},
                  "fulltext": {"type": "text"}}},
                "root": {"type": "keyword"},
                "virtual": {"type": "keyword", "fields": {"tree": {"type": "text", "analyzer": "fscrawler_path", "fielddata": true},
                  "fulltext": {"type": "text"}}}}},
              "file": {"properties": {"filename": {"type": "keyword", "store": true}, "extension": {"type": "keyword"},
                "filesize": {"type": "long"}, "indexing_date": {"type": "date", "format": "date_optional_time"},
                "url": {"type": "keyword", "index": false}}},
              "content": {"type": "text"}}}""", """
            {"analysis": {"analyzer": {"fscrawler_path": {"tokenizer": "fscrawler_path", "char_filter": ["windows_separator"]}},
              "char_filter": {"windows_separator": {"type": "mapping", "mappings": ["\\\\\\\\ => /"]}},
              "tokenizer": {"fscrawler_path": {"type": "path_hierarchy"}}}}""") {
        @Override
        String source(Notation notation, int number, String createdAt, String now) {
            return """
                    {"content":"text %d","file":{"extension":"txt","indexing_date":"2026-01-02T03:04:05.678+00:00","filesize":%d,\
                    "filename":%s,"url":%s},"path":{"root":"%08x","virtual":%s,"real":%s}}""".formatted(
                            number,
                            number,
                            quoted(notation.nameOf(now)),
                            quoted("file:///mnt/share" + now),
                            notation.parentOf(createdAt).hashCode(),
                            quoted(now),
                            quoted("/mnt/share" + now));
        }
    },

    OPENMETADATA("""
            {"properties": {
              "id": {"type": "text"},
              "name": {"type": "text", "fields": {
                "keyword": {"type": "keyword", "ignore_above": 256, "normalizer": "lowercase_normalizer"}}},
              "fullyQualifiedName": {"type": "keyword", "normalizer": "lowercase_normalizer"},
              "fqnParts": {"type": "keyword"},
              "parent": {"properties": {"fullyQualifiedName": {"type": "text"}}},
              "tags": {"properties": {"tagFQN": {"type": "keyword", "normalizer": "lowercase_normalizer"},
                "source": {"type": "keyword"}}},
              "version": {"type": "float"}, "deleted": {"type": "boolean"}}}""", """
            {"analysis": {"normalizer": {"lowercase_normalizer": {"type": "custom", "char_filter": [], "filter": ["lowercase"]}}}}""") {
        @Override
        String source(Notation notation, int number, String createdAt, String now) {
            return """
                    {"id":"%d","name":%s,"fullyQualifiedName":%s,"version":0.10,"fqnParts":[%s],\
                    "tags":[{"tagFQN":"PII.Sensitive","source":"Classification"},{"tagFQN":%s,"source":"Glossary"}],"deleted":false}""".formatted(number, quoted(notation.nameOf(now)), quoted(now), quoted(createdAt), quoted(now));
        }

        @Override
        String segment(String word) {
            return word.replace('-', '.');
        }

        @Override
        void mend(String index) {
            Es.put("/" + index + "/_mapping", """
                    {"properties": {"fullyQualifiedName": {"type": "keyword", "normalizer": "lowercase_normalizer",
                      "fields": {"exact": {"type": "keyword"}}}}}""");
            Es.post("/" + index + "/_update_by_query?refresh=true", "");
        }
    };

    private final String mapping;
    private final String settings;

    Preset(String mapping, String settings) {
        this.mapping = mapping;
        this.settings = settings;
    }

    /**
     * Returns the {@code _source} of a document.
     *
     * @param number the number of the document
     * @param createdAt the path at which the document was created
     * @param now the current path of the document
     */
    abstract String source(Notation notation, int number, String createdAt, String now);

    /** Returns a segment for this word, in the naming style of the project. */
    String segment(String word) {
        return word;
    }

    /** Changes the index as the definition requires for an index that already contains documents. */
    void mend(String index) {}

    void createIndex(String index) {
        Es.put(
                "/" + index,
                "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,\"index\":%s},\"mappings\":%s}"
                        .formatted(settings, mapping));
    }

    /** Returns the definition from the repository, with {@code index} as the name of the namespace and of the index. */
    String definition(String index) {
        Path file = Path.of("..", "..", "run", "namespaces", name().toLowerCase(Locale.ROOT) + ".yaml");
        try {
            return Files.readString(file)
                    .replaceFirst("(?m)^  - name: .*$", "  - name: " + index)
                    .replaceFirst("(?m)^    index: .*$", "    index: " + index);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String quoted(String text) {
        return Es.JSON.valueToTree(text).toString();
    }
}
