/**
 * Proposes the definition of a namespace for an existing index. The decisions depend only on the mapping and on a
 * sample of documents. Only {@link org.treerename.janitor.proposal.DefinitionFile} reads and writes a file. The package
 * depends neither on the client of Elasticsearch nor on the command line.
 */
@NullMarked
package org.treerename.janitor.proposal;

import org.jspecify.annotations.NullMarked;
