/** Tests of whole services on real servers while faults occur. Each service runs as a separate process. */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
