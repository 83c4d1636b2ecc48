/**
 * A client in memory, for the tests of programs that use the library. It decides as a worker does, because it uses the same checks.
 * It uses no server and no other client.
 */
@NullMarked
package org.treerename.producer.fake;

import org.jspecify.annotations.NullMarked;
