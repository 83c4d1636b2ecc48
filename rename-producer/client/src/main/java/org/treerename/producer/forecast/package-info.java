/**
 * The expected result of a rename that is not requested yet. Begin with
 * {@link org.treerename.producer.forecast.DryRun}.
 */
@NullMarked
package org.treerename.producer.forecast;

import org.jspecify.annotations.NullMarked;
