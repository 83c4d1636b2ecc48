/**
 * A client in memory, for the tests of programs that use the library. The client decides requests as a worker does,
 * because it uses the same checks. The client uses no server and no other client.
 */
@NullMarked
package org.treerename.producer.fake;

import org.jspecify.annotations.NullMarked;
