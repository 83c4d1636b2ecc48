/** Tests of whole services: each service is a process, the servers are real, and the tests read only topics and indices. */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
