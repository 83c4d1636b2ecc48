/**
 * The gateway: renames asked for and followed over HTTP. It stands on the library and on the journal, and keeps
 * nothing itself, so that any number of them may run.
 */
@NullMarked
package org.treerename.producer.http;

import org.jspecify.annotations.NullMarked;
