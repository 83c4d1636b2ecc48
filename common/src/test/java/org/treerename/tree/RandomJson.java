package org.treerename.tree;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Generates JSON documents, each on one line. JSON allows several spellings of one value, and the documents use such
 * spellings. The same seed generates the same documents.
 */
final class RandomJson {

    private static final List<String> SPACES = List.of("", "", " ", "\t", "   ");
    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "-0.0",
            "1.10",
            "1.1",
            "1E+2",
            "1e-7",
            "-12.340",
            "1234567890123456789012345678901234567890",
            "0.1000000000000000055511151231257827");
    private static final List<String> CHARACTERS = List.of(
            "a",
            "/",
            "\\/",
            "\\u0061",
            "ü",
            "\\u00fc",
            "\uD83D\uDE00",
            "\\ud83d\\ude00",
            "\\n",
            "\\\"",
            "\\\\",
            "{",
            "]");

    private final Random random;

    RandomJson(long seed) {
        this.random = new Random(seed);
    }

    /** Returns the text of an object with these fields and some random fields. All fields are in random order. */
    String document(Map<String, String> fields) {
        List<String> members = new ArrayList<>();
        fields.forEach((name, value) -> members.add(member(name, "\"" + value + "\"")));
        int others = random.nextInt(8);
        for (int i = 0; i < others; i++) {
            members.add(member("f" + i, value(4)));
        }
        Collections.shuffle(members, random);
        return braced("{", members, "}");
    }

    private String value(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> one(NUMBERS);
            case 1 -> string();
            case 2 -> one(List.of("true", "false", "null"));
            case 3 -> "\"/a/x\"";
            case 4 -> {
                List<String> elements = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(depth - 1));
                }
                yield braced("[", elements, "]");
            }
            default -> {
                List<String> members = new ArrayList<>();
                for (String name : List.of("path", "parent", "q\\u0020" + depth)) {
                    if (random.nextBoolean()) {
                        members.add(member(name, value(depth - 1)));
                    }
                }
                yield braced("{", members, "}");
            }
        };
    }

    private String string() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(one(CHARACTERS));
        }
        return text.append('"').toString();
    }

    private String member(String name, String value) {
        return space() + "\"" + name + "\"" + space() + ":" + space() + value + space();
    }

    private String braced(String open, List<String> parts, String close) {
        return open + space() + String.join("," + space(), parts) + space() + close;
    }

    private String space() {
        return one(SPACES);
    }

    private String one(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }
}
