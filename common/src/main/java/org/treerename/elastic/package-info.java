/** The ports of the other rooms, in Elasticsearch. Only each service's Main names it. */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
