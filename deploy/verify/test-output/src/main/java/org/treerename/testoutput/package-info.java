/**
 * The test output that people read. It contains one line for each test class, and each failure with its reason and its
 * log. At the end of the build, it lists the failed and the skipped tests. This package does not depend on the code of
 * renames.
 */
@NullMarked
package org.treerename.testoutput;

import org.jspecify.annotations.NullMarked;
