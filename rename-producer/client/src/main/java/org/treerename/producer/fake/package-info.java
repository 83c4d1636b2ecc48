/**
 * A client in memory, for the tests of programs that use the library. The client checks requests with the code of the
 * workers. The client needs no server.
 */
@NullMarked
package org.treerename.producer.fake;

import org.jspecify.annotations.NullMarked;
