package dev.reflector.write.model;

import java.util.Optional;

/**
 * What server and mirror have of an object before or after a call.
 *
 * @param stored what the server keeps
 * @param mirrored what the mirror shows
 * @param upToDate whether the mirror has all that the server has
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

	/** The version in which the mirror shows the object with this uid. */
	Optional<Long> shown(String uid) {
		return this.mirrored.filter((object) -> object.uid().equals(uid)).map(Site::version);
	}

}
