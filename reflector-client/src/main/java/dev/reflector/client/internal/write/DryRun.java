package dev.reflector.client.internal.write;

import java.util.Collections;
import java.util.List;
import java.util.Set;

import dev.reflector.write.AppliedMeta;
import dev.reflector.write.WriteException;
import dev.reflector.write.WriteOperation;
import dev.reflector.write.WriteReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Asks the server what a write would change, without changing anything. */
final class DryRun {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.write.dry-run");

	/**
	 * The largest number of remembered objects. An object is remembered if a dry run
	 * would have created it.
	 */
	private static final int MOST = 10_000;

	private final WriteSender sender;

	private final StatusSender statuses;

	private final Set<String> created = Collections
		.synchronizedSet(Collections.newSetFromMap(new RecentlyUsed<>(MOST)));

	DryRun(WriteSender sender, StatusSender statuses) {
		this.sender = sender;
		this.statuses = statuses;
	}

	/**
	 * Asks the server.
	 * @param write the write
	 * @param metadata the written metadata, or {@code null} for none
	 * @return the result, with the paths that the write would change
	 */
	Result run(Write write, @Nullable AppliedMeta metadata) {
		if (this.created.contains(write.uid())) {
			logger.info("Dry run: {} depends on an object that does not exist, because its creation was a dry run",
					write);
			return result(new Answered(AppliedJson.object()), List.of(), true);
		}
		boolean afterDryRun = metadata != null && hasOwnerOfDryRun(metadata);
		JsonNode before = (write.operation() == WriteOperation.CREATE) ? AppliedJson.object() : before(write);
		Answered answer = write.isStatus() ? this.statuses.send(write, "") : this.sender.send(write);
		if (write.operation() == WriteOperation.DELETE) {
			logger.info("Dry run: {} would delete the object", write);
			return result(answer, List.of(), false);
		}
		List<String> changes = JsonChanges.between(before, answer.object());
		if (before.isEmpty() && !answer.uid().isEmpty()) {
			this.created.add(answer.uid());
		}
		log(write, before.isEmpty(), changes, afterDryRun);
		return result(answer, changes, afterDryRun);
	}

	private static void log(Write write, boolean creates, List<String> changes, boolean afterDryRun) {
		String depends = afterDryRun
				? "; it depends on an object that does not exist, because its creation was a dry run" : "";
		if (changes.isEmpty()) {
			logger.debug("Dry run: {} would change nothing{}", write, depends);
		}
		else {
			logger.info("Dry run: {} would {} {}{}", write, creates ? "create it with" : "change",
					String.join(", ", changes), depends);
		}
	}

	private boolean hasOwnerOfDryRun(AppliedMeta metadata) {
		List<AppliedMeta.Owner> owners = metadata.ownerReferences();
		return owners != null && owners.stream().anyMatch((owner) -> this.created.contains(owner.uid()));
	}

	private static Result result(Answered answer, List<String> changes, boolean afterDryRun) {
		return new Result(WriteReport.Outcome.DRY_RUN, answer.uid(), answer.resourceVersion(), changes, afterDryRun);
	}

	private JsonNode before(Write write) {
		try {
			return this.sender.get(write).object();
		}
		catch (WriteException ex) {
			if (ex.status() != null && ex.status().code() == 404 && !write.isRepeatable()) {
				return AppliedJson.object();
			}
			throw ex;
		}
	}

}
