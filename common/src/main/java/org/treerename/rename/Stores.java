package org.treerename.rename;

import org.treerename.lock.LockStore;
import org.treerename.path.Namespaces;

/** Everything outside the process that a rename touches. */
public record Stores(Namespaces namespaces, Journal journal, LockStore locks, TreeStore tree, Outcomes outcomes)
        implements LockBooks {}
