/**
 * Proposes the definition of a namespace for an index that exists. The decisions are pure functions of a mapping and of
 * some documents. Only {@link org.treerename.janitor.proposal.DefinitionFile} reads and writes a file. The package
 * depends neither on the client of Elasticsearch nor on the command line.
 */
@NullMarked
package org.treerename.janitor.proposal;

import org.jspecify.annotations.NullMarked;
