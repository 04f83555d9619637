package dev.reflector.client.internal.write;

import java.time.Duration;

import dev.reflector.write.ObjectGoneException;
import dev.reflector.write.WriteConflictException;
import dev.reflector.write.WriteException.Failure;

/**
 * Sends a status only to the object with the given uid. Usually, a server compares the
 * uid in the body with the uid of the object. For the status of a custom resource,
 * however, the server ignores all metadata except the version. Therefore, a status is
 * sent with the known version of the object, which no other object has. If the object has
 * changed since this version, the newer version is taken from the mirror. If the mirror
 * does not receive a newer version soon, it is requested from the server.
 */
final class StatusSender {

	/**
	 * The longest time to wait for a newer version in the mirror. After this time, the
	 * version is requested from the server.
	 */
	private static final Duration MIRROR = Duration.ofSeconds(1);

	private final WriteSender sender;

	private final Mirrors mirrors;

	StatusSender(WriteSender sender, Mirrors mirrors) {
		this.sender = sender;
		this.mirrors = mirrors;
	}

	/**
	 * Sends a status.
	 * @param write the write
	 * @param answered the version of the object in the response to an earlier write,
	 * empty for none
	 * @return the response
	 */
	Answered send(Write write, String answered) {
		String version = this.mirrors.latest(write, answered);
		boolean lost = false;
		for (int contention = 0;; contention++) {
			String known = version.isEmpty() ? current(write, lost) : version;
			try {
				return this.sender.send(write.ifVersion(known), lost);
			}
			catch (WriteConflictException ex) {
				Duration delay = WriteSender.delay(contention);
				if (!WriteFailures.isContention(ex.status()) || contention == WriteSender.MAX_CONTENTION
						|| write.deadline().isBefore(delay)) {
					throw ex;
				}
				lost = ex.mayHaveHappened();
				WriteSender.pause(write, delay, lost);
				version = another(write, known, lost);
			}
		}
	}

	private String another(Write write, String known, boolean lost) {
		try {
			return this.mirrors.awaitAnother(write, known, write.deadline().orIn(MIRROR));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw WriteFailures.unreachable(write, null, lost);
		}
	}

	private String current(Write write, boolean lost) {
		Answered now = this.sender.get(write, lost);
		if (!now.uid().equals(write.uid())) {
			throw new ObjectGoneException(
					"another object has this name, and the one with this uid does not exist any more, so nothing was "
							+ "written",
					new Failure(write.toString(), write.key(), null, lost, null));
		}
		return now.resourceVersion();
	}

}
