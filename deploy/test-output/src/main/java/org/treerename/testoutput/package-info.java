/**
 * What a person sees of the tests: one line per test class, each failure with its reason and its log, and at the end of the build
 * what failed and what was skipped. Knows nothing of renames.
 */
@NullMarked
package org.treerename.testoutput;

import org.jspecify.annotations.NullMarked;
