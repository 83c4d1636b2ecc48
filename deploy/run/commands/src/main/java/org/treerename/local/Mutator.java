package org.treerename.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the guards (conditions, filters and checks) in a Java or Painless source file, and the ways to break each
 * guard. The class reads line by line and does not parse the language, so a mutation may not compile.
 */
final class Mutator {

    private static final Pattern IF = Pattern.compile("^( *)(\\} else )?if \\((.*)\\) \\{$");
    private static final Pattern LEAVES = Pattern.compile("^ *(?:throw|return|continue|break)\\b.*$");
    private static final Pattern COMPARISON = Pattern.compile(" (==|!=|<=|>=|<|>) ");
    private static final Pattern LOGICAL = Pattern.compile("(?:&&|\\|\\|) ");
    private static final Pattern FILTER = Pattern.compile("\\.filter\\(");
    private static final Pattern CHECK =
            Pattern.compile("^ *(?:\\w+\\.)*(?:require|check|ensure|verify|refuse|refresh)\\w*\\(.*\\);$");
    private static final Pattern CONDITION_OF_A_WRITE = Pattern.compile("\"if_(?:seq_no|primary_term)\"");

    private static final Map<String, String> OPPOSITE =
            Map.of("==", "!=", "!=", "==", "<", ">=", ">=", "<", ">", "<=", "<=", ">");
    private static final Map<String, String> NEIGHBOUR = Map.of("<", "<=", "<=", "<", ">", ">=", ">=", ">");

    private final String file;
    private final List<String> lines;
    private final List<Mutation> found = new ArrayList<>();

    private Mutator(String file, List<String> lines) {
        this.file = file;
        this.lines = lines;
    }

    /** Returns every mutation of a file, in the order of its lines. */
    static List<Mutation> of(String file, List<String> lines) {
        Mutator mutator = new Mutator(file, lines);
        for (int i = 0; i < lines.size(); i++) {
            if (!isComment(lines.get(i))) {
                mutator.mutate(i);
            }
        }
        return mutator.found;
    }

    private static boolean isComment(String line) {
        String text = line.strip();
        return text.startsWith("//") || text.startsWith("/*") || text.startsWith("*") || text.startsWith("import ");
    }

    private void mutate(int i) {
        String line = lines.get(i);
        String code = withoutText(line);
        removeGuard(i, code);
        Matcher condition = IF.matcher(code);
        if (condition.matches()) {
            String negated = line.substring(0, condition.start(3)) + "!(" + line.substring(condition.start(3));
            int end = negated.length() - ") {".length();
            replace(i, "condition negated", negated.substring(0, end) + ")" + negated.substring(end));
        }
        eachMatch(LOGICAL, code, (start, end) -> {
            int last = endOfOperand(code, end);
            if (last > 0) {
                cut(i, "condition dropped: " + line.substring(start, last), start, last);
            }
        });
        eachMatch(FILTER, code, (start, end) -> {
            int last = endOfOperand(code, end);
            if (last > 0 && last < code.length() && code.charAt(last) == ')') {
                cut(i, "filter dropped: " + line.substring(start, last + 1), start, last + 1);
            }
        });
        if (!code.strip().startsWith("for (")) {
            compare(i, code, OPPOSITE, "comparison flipped");
            compare(i, code, NEIGHBOUR, "limit moved");
        }
        if (CHECK.matcher(code).matches()) {
            add(i, "check removed", i + 1, List.of());
        }
        if (isConditionOfAWrite(i) && !isConditionOfAWrite(i - 1)) {
            int end = i;
            while (isConditionOfAWrite(end)) {
                end++;
            }
            add(i, "condition of the write dropped", end, List.of());
        }
    }

    /** Adds the mutation that removes an {@code if} whose block leaves the method or the loop. */
    private void removeGuard(int i, String code) {
        Matcher guard = IF.matcher(code);
        if (!guard.matches() || guard.group(2) != null) {
            return;
        }
        String indent = guard.group(1);
        String statement = "";
        int end = i + 1;
        for (; end < lines.size() && lines.get(end).startsWith(indent + " "); end++) {
            boolean isOutermost = depth(lines.get(end)) == depth(lines.get(i + 1));
            statement = isOutermost ? lines.get(end) : statement;
        }
        if (end < lines.size()
                && lines.get(end).equals(indent + "}")
                && LEAVES.matcher(statement).matches()) {
            add(i, "guard removed", end + 1, List.of());
        }
    }

    private static int depth(String line) {
        return line.length() - line.stripLeading().length();
    }

    private boolean isConditionOfAWrite(int i) {
        return i >= 0
                && i < lines.size()
                && CONDITION_OF_A_WRITE.matcher(lines.get(i)).find()
                && lines.get(i).endsWith(";");
    }

    private void compare(int i, String code, Map<String, String> instead, String operator) {
        String line = lines.get(i);
        Matcher comparison = COMPARISON.matcher(code);
        for (int from = 0; comparison.find(from); from = comparison.end(1)) {
            String other = instead.get(comparison.group(1));
            if (other != null) {
                String words = operator + ": " + comparison.group(1) + " to " + other;
                replace(i, words, line.substring(0, comparison.start(1)) + other + line.substring(comparison.end(1)));
            }
        }
    }

    private static void eachMatch(Pattern pattern, String code, BiConsumer<Integer, Integer> use) {
        Matcher matcher = pattern.matcher(code);
        while (matcher.find()) {
            use.accept(matcher.start(), matcher.end());
        }
    }

    /**
     * Returns the end position of the operand that begins at {@code start}; -1 if the operand does not end in this
     * line.
     */
    private static int endOfOperand(String code, int start) {
        int depth = 0;
        for (int i = start; i < code.length(); i++) {
            char c = code.charAt(i);
            if ("([{".indexOf(c) >= 0) {
                depth++;
            } else if (")]}".indexOf(c) >= 0) {
                if (depth == 0) {
                    return i;
                }
                depth--;
            } else if (depth == 0 && (c == ';' || c == ',' || isNextOperand(code, i))) {
                return i;
            }
        }
        return depth == 0 ? code.length() : -1;
    }

    private static boolean isNextOperand(String code, int i) {
        return code.startsWith(" && ", i)
                || code.startsWith(" || ", i)
                || code.startsWith(" ? ", i)
                || code.startsWith(" : ", i);
    }

    /**
     * Adds the mutation that removes a part of a line. If this part is at the beginning of the line, the rest of the
     * line is appended to the previous line.
     */
    private void cut(int i, String operator, int start, int end) {
        String line = lines.get(i);
        String before = line.substring(0, start).stripTrailing();
        String after = line.substring(end);
        if (!before.isBlank()) {
            replace(i, operator, before + after);
        } else if (after.isBlank()) {
            add(i, operator, i + 1, List.of());
        } else if (i > 0 && lines.get(i - 1).equals(withoutComment(lines.get(i - 1)))) {
            add(i - 1, operator, i + 1, List.of(lines.get(i - 1) + after));
        }
    }

    private void replace(int i, String operator, String line) {
        add(i, operator, i + 1, List.of(line));
    }

    private void add(int start, String operator, int end, List<String> after) {
        found.add(new Mutation(file, start + 1, operator, lines.subList(start, end), after));
    }

    private static String withoutComment(String line) {
        int comment = withoutText(line).indexOf("//");
        return comment < 0 ? line : line.substring(0, comment).stripTrailing();
    }

    /**
     * Returns the line with an underscore in place of each character inside quotation marks. So the search finds no
     * operator in a string literal.
     */
    private static String withoutText(String line) {
        StringBuilder code = new StringBuilder();
        char open = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (open == 0) {
                open = c == '"' || c == '\'' ? c : 0;
                code.append(c);
            } else if (c == open) {
                open = 0;
                code.append(c);
            } else if (c == '\\' && i + 1 < line.length()) {
                code.append("__");
                i++;
            } else {
                code.append('_');
            }
        }
        return code.toString();
    }
}
