/** Tests that the stores fulfil their contracts with a real Elasticsearch. */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
