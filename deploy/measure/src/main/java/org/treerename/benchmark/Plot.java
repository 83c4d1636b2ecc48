package org.treerename.benchmark;

import java.util.List;
import java.util.Locale;

/**
 * Draws the bar chart of a table. For each side, a bar shows the median. A line shows the range from the lowest to the
 * highest figure.
 */
record Plot(Table table) {

    private static final int LABELS = 300;
    private static final int BARS = 420;
    private static final int FIGURES = 100;
    private static final int ROW = 28;
    private static final int TOP = 44;
    private static final int BAR = 16;

    String svg() {
        List<Series> sides = table.sides();
        int height = TOP + ROW * sides.size() + ROW / 2;
        double most =
                sides.stream().mapToDouble(side -> side.spread().max()).max().orElse(0);
        double perUnit = most > 0 ? BARS / most : 0;
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                LABELS + BARS + FIGURES,
                height);
        add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add(
                svg,
                "<text x=\"10\" y=\"22\" font-size=\"14\">%s (%s, %s is better)</text>",
                escaped(table.title()),
                escaped(table.unit()),
                table.better() == Better.LOWER ? "lower" : "higher");
        for (int i = 0; i < sides.size(); i++) {
            addBar(svg, sides.get(i), TOP + ROW * i, perUnit);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void addBar(StringBuilder svg, Series side, int top, double perUnit) {
        Spread spread = side.spread();
        int middle = top + BAR / 2;
        double lowest = LABELS + length(spread.min(), perUnit);
        double highest = LABELS + length(spread.max(), perUnit);
        add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABELS - 8, middle + 4, escaped(side.side()));
        add(
                svg,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#7aa6c2\"/>",
                LABELS,
                top,
                length(spread.median(), perUnit),
                BAR);
        add(
                svg,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#333\"/>",
                lowest,
                middle,
                highest,
                middle);
        add(svg, "<text x=\"%.1f\" y=\"%d\">%s</text>", highest + 6, middle + 4, Figure.text(spread.median()));
    }

    /** Returns the length of a bar. The length is 0 if the figure is negative. */
    private static double length(double figure, double perUnit) {
        return Math.max(0, figure) * perUnit;
    }

    private static void add(StringBuilder svg, String element, Object... values) {
        svg.append(String.format(Locale.ROOT, element, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
