package org.treerename.local;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * One broken guard: a few lines of a source file, and the lines that replace them.
 *
 * @param file the path of the file below the root of the work tree
 * @param line the number of the first line, counted from 1
 * @param operator a description of the change
 */
record Mutation(String file, int line, String operator, List<String> before, List<String> after) {

    Mutation {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    String place() {
        return file + ":" + line;
    }

    /** Returns the kind of the change: {@code operator} without the details. */
    String kind() {
        return operator.split(":", 2)[0];
    }

    /**
     * Returns the lines of the file with this guard broken; empty if the file does not contain the lines of the guard.
     * In another version of the file, the guard may have a different line number. If the lines of the guard occur
     * several times, the method replaces the lines nearest to the recorded line number.
     */
    List<String> in(List<String> lines) {
        OptionalInt found = nearest(lines);
        if (found.isEmpty()) {
            return List.of();
        }
        int start = found.getAsInt();
        List<String> broken = new ArrayList<>(lines.subList(0, start));
        broken.addAll(after);
        broken.addAll(lines.subList(start + before.size(), lines.size()));
        return broken;
    }

    private OptionalInt nearest(List<String> lines) {
        int nearest = -1;
        for (int start = 0; start + before.size() <= lines.size(); start++) {
            boolean isNearer = nearest < 0 || Math.abs(start + 1 - line) < Math.abs(nearest + 1 - line);
            if (isNearer && lines.subList(start, start + before.size()).equals(before)) {
                nearest = start;
            }
        }
        return nearest < 0 ? OptionalInt.empty() : OptionalInt.of(nearest);
    }

    /** Returns this mutation in the format that {@link #parse} reads. */
    String text() {
        StringBuilder text = new StringBuilder("@ %s:%d %s\n".formatted(file, line, operator));
        before.forEach(old -> text.append("- ").append(old).append('\n'));
        after.forEach(now -> text.append("+ ").append(now).append('\n'));
        return text.toString();
    }

    /**
     * Reads a list of mutations. Lines that begin with {@code #} are comments.
     *
     * @throws IllegalArgumentException if a mutation does not begin with {@code @}, or has no line that begins with
     *     {@code -}
     */
    static List<Mutation> parse(List<String> lines) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < lines.size(); ) {
            String head = lines.get(i++);
            if (head.isEmpty() || head.startsWith("#")) {
                continue;
            }
            String[] words = head.split("[ :]", 4);
            if (words.length < 4 || !words[0].equals("@")) {
                throw new IllegalArgumentException("line " + i + ": expected @ FILE:LINE OPERATOR, was: " + head);
            }
            List<String> before = new ArrayList<>();
            List<String> after = new ArrayList<>();
            for (; i < lines.size() && lines.get(i).startsWith("- "); i++) {
                before.add(lines.get(i).substring(2));
            }
            for (; i < lines.size() && lines.get(i).startsWith("+ "); i++) {
                after.add(lines.get(i).substring(2));
            }
            if (before.isEmpty()) {
                throw new IllegalArgumentException(
                        "line " + i + ": expected a line that begins with \"- \" after \"" + head + "\", found none");
            }
            mutations.add(new Mutation(words[1], Integer.parseInt(words[2]), words[3], before, after));
        }
        return mutations;
    }
}
