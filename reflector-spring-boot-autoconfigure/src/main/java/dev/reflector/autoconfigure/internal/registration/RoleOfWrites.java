package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.autoconfigure.registration.RbacManifest;

/**
 * Adds the permissions for writes to the RBAC manifest.
 */
@FunctionalInterface
public interface RoleOfWrites {

	/**
	 * Adds the permissions. @param manifest the manifest with the permissions for mirrors
	 * @return a manifest with the permissions for mirrors and writes
	 */
	RbacManifest addTo(RbacManifest manifest);

}
