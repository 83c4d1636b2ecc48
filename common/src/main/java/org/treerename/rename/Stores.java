package org.treerename.rename;

import org.treerename.journal.Journal;
import org.treerename.journal.LockBooks;
import org.treerename.lock.LockStore;
import org.treerename.namespace.Namespaces;
import org.treerename.request.Outcomes;
import org.treerename.tree.TreeStore;

/** All external stores that a rename uses. */
public record Stores(Namespaces namespaces, Journal journal, LockStore locks, TreeStore tree, Outcomes outcomes)
        implements LockBooks {}
