package org.treerename.benchmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Formats figures with three significant digits, because the measurements are not more precise. */
final class Figure {

    private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private Figure() {}

    static String text(double number) {
        BigDecimal rounded = BigDecimal.valueOf(number).round(DIGITS);
        DecimalFormat format = new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT));
        int decimals =
                rounded.signum() == 0 ? 0 : Math.max(0, DIGITS.getPrecision() - rounded.precision() + rounded.scale());
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        return format.format(rounded);
    }
}
