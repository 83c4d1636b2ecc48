/**
 * The output of the tests that people read: one line for each test class, each failure with its reason and its log, and
 * at the end of the build the failed and the skipped tests. This package does not depend on the code of renames.
 */
@NullMarked
package org.treerename.testoutput;

import org.jspecify.annotations.NullMarked;
