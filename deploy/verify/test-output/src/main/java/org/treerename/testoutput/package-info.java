/**
 * The test output that people read. The output contains one line for each test class. For each failure, it contains the
 * reason and the path of the log. The last lines of the output list the skipped tests and the failed tests. This
 * package does not depend on the other code of the project.
 */
@NullMarked
package org.treerename.testoutput;

import org.jspecify.annotations.NullMarked;
