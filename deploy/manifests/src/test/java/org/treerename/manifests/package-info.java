/**
 * Whether the manifests of {@code deploy/kubernetes} are what Kubernetes takes, and say of the services what is so. Needs no cluster
 * and no network.
 */
@NullMarked
package org.treerename.manifests;

import org.jspecify.annotations.NullMarked;
