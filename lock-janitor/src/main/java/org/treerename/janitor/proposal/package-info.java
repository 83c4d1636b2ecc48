/**
 * Proposes the definition of a namespace for an index that exists. The decisions are pure functions of a mapping and of
 * some documents. Only {@link org.treerename.janitor.proposal.DefinitionFile} reads and writes a file.
 * The package does not know the client of Elasticsearch and the command line.
 */
@NullMarked
package org.treerename.janitor.proposal;

import org.jspecify.annotations.NullMarked;
