package dev.reflector.write.model;

import java.util.Optional;

/**
 * The state of an object on the server and in the mirror before or after a call.
 *
 * @param stored the object on the server
 * @param mirrored the object in the mirror
 * @param upToDate whether the mirror has reached the version of the server
 */
record Moment(Optional<Stored> stored, Optional<Site> mirrored, boolean upToDate) {

	static Moment of(Scene scene, String name) {
		boolean upToDate = scene.isUpToDate();
		return new Moment(scene.stored(name).map(Stored::new), scene.mirrored(name), upToDate);
	}

	/** The object with this uid as the server keeps it. */
	Optional<Stored> stored(String uid) {
		return this.stored.filter((object) -> object.uid().equals(uid));
	}

	/** Returns the version in which the mirror shows the object with this uid. */
	Optional<Long> shown(String uid) {
		return this.mirrored.filter((object) -> object.uid().equals(uid)).map(Site::version);
	}

}
