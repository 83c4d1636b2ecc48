package org.treerename.benchmark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/**
 * Creates the documents of a tree in one of two sizes:
 *
 * <pre>{@code
 * { "path": "/tree/a/directory-1/file-2.txt", "parent": "/tree/a/directory-1", "name": "file-2.txt",
 *   "type": "directory | file", "size": 4711, "modified": "2026-01-01T00:00:00Z", "contents": "a few words" }
 * { "path": "/tree/a/d1/f2", "parent": "/tree/a/d1", "name": "f2", "type": "directory | file" }
 * }</pre>
 *
 * @param kind the size of the documents
 * @param random the source of all random values
 */
record TreeDocuments(Kind kind, Random random) {

    private static final int WORDS = 12;

    /** The size of the documents. */
    enum Kind {
        USUAL("of some 300 bytes", "directory-", "file-", ".txt"),
        SMALL("of some 100 bytes", "d", "f", "");

        private final String words;
        private final String directory;
        private final String file;
        private final String suffix;

        Kind(String words, String directory, String file, String suffix) {
            this.words = words;
            this.directory = directory;
            this.file = file;
            this.suffix = suffix;
        }

        /** Returns the text that describes this size in a title. */
        String words() {
            return words;
        }

        String directory(long number) {
            return directory + number;
        }

        String file(long number) {
            return file + number + suffix;
        }
    }

    ObjectNode directory(String path) {
        return document(path, true);
    }

    ObjectNode file(String path) {
        return document(path, false);
    }

    private ObjectNode document(String path, boolean directory) {
        int end = path.lastIndexOf('/');
        ObjectNode document = Es.JSON
                .createObjectNode()
                .put("path", path)
                .put("parent", end == 0 ? "/" : path.substring(0, end))
                .put("name", path.substring(end + 1))
                .put("type", directory ? "directory" : "file");
        if (kind == Kind.SMALL) {
            return document;
        }
        document.put("size", directory ? 0 : random.nextInt(1_000_000))
                .put("modified", "2026-01-01T00:00:%02dZ".formatted(random.nextInt(60)));
        if (!directory) {
            StringBuilder words = new StringBuilder();
            for (int i = 0; i < WORDS; i++) {
                words.append(Long.toString(random.nextLong(1L << 40), 36)).append(' ');
            }
            document.put("contents", words.toString());
        }
        return document;
    }
}
