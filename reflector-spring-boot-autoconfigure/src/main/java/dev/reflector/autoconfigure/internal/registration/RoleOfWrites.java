package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.autoconfigure.registration.RbacManifest;

/**
 * Adds what writes need to the printed role.
 */
@FunctionalInterface
public interface RoleOfWrites {

	/**
	 * Adds the permissions.
	 * @param manifest the manifest of what is mirrored
	 * @return a manifest
	 */
	RbacManifest addTo(RbacManifest manifest);

}
