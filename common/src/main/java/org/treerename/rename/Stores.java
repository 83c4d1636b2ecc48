package org.treerename.rename;

import org.treerename.lock.LockStore;
import org.treerename.path.Namespaces;

/** All external stores that a rename uses. */
public record Stores(Namespaces namespaces, Journal journal, LockStore locks, TreeStore tree, Outcomes outcomes)
        implements LockBooks {}
