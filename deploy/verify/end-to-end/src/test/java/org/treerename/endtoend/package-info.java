/**
 * Tests of whole services with real servers. Each service is a separate process. The tests read only topics and
 * indices.
 */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
