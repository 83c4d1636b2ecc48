/**
 * What every service stands on: the settings that all share, the servers that a process talks to, its stores, and one
 * incarnation after the other. It names every other room, as each service's Main does, and no other room names it.
 */
@NullMarked
package org.treerename.host;

import org.jspecify.annotations.NullMarked;
