/** Tests of the contracts of the stores on a real Elasticsearch. */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
