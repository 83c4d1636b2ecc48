/**
 * Predicts the result of a rename that was not requested yet. The entry point is {@link
 * org.treerename.producer.forecast.DryRun}.
 */
@NullMarked
package org.treerename.producer.forecast;

import org.jspecify.annotations.NullMarked;
