/** The implementations of the stores in Elasticsearch, and the client for it. */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
