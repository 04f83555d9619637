/**
 * Decides which clients may connect, and how: TLS, client certificates, tokens, and roles
 * that are not read yet. Secures connections, and refuses requests with an
 * {@code ApiFailure}. Also writes kubeconfigs. Called by {@code server} on event loops,
 * and by tests on their threads when they change certificates and tokens. Internal:
 * public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.access;

import org.jspecify.annotations.NullMarked;
