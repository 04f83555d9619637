package dev.reflector.cache.internal.snapshot;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at most once a minute that an application with a different name writes the
 * snapshot of a reflector. The snapshots of all slots of a reflector share one instance.
 * Thread-safe.
 */
public final class OtherApplication {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final String reflector;

	private final TimeSource time;

	private final OncePerMinute warnings = new OncePerMinute();

	/**
	 * Creates the warnings of a reflector.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public OtherApplication(String reflector, TimeSource time) {
		this.reflector = reflector;
		this.time = time;
	}

	/**
	 * Whether two names belong to different applications. If a name is empty, its
	 * application is unknown, and the result is {@code false}.
	 */
	static boolean isOther(String stored, String present) {
		return !stored.isEmpty() && !present.isEmpty() && !stored.equals(present);
	}

	/**
	 * Warns that another application writes the snapshot that this application needs.
	 * @param other the name of the other application
	 * @param application the name of this application
	 * @param location where the snapshot is
	 */
	void waits(String other, String application, String location) {
		if (!this.warnings.isDue(this.time.nanoTime())) {
			return;
		}
		logger.atWarn()
			.addKeyValue("reflector", this.reflector)
			.addKeyValue("reason", "OtherApplication")
			.log("Reflector '{}': its snapshot in {} is written by the application '{}', and this is the "
					+ "application '{}'. Nothing is delivered here until the other one ends. {}", this.reflector,
					location, PrintableText.of(other), PrintableText.of(application), advice());
	}

	/**
	 * Warns that this application continues from a snapshot that was written by an
	 * application with a different name.
	 */
	void hasGone(String other, String application, String location) {
		logger.atWarn()
			.addKeyValue("reflector", this.reflector)
			.addKeyValue("reason", "OtherApplication")
			.log("Reflector '{}': its snapshot in {} was written by the application '{}'. The application '{}' "
					+ "continues from it, as if the application had been renamed. {}", this.reflector, location,
					PrintableText.of(other), PrintableText.of(application), advice());
	}

	private String advice() {
		return "If both applications should run, give one of them its own snapshot: set 'reflector.resources."
				+ this.reflector
				+ ".snapshot-name', or for all its reflectors 'reflector.snapshot.jdbc.table-prefix' or "
				+ "'reflector.snapshot.jdbc.file'";
	}

}
