package dev.reflector.kafka;

import java.util.Collection;
import java.util.stream.Collectors;

import dev.reflector.ResourceKey;

/**
 * Thrown when partitions of a topic have different states of one key, and nothing shows
 * which is later.
 */
final class UndecidedStateException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UndecidedStateException(ResourceKey key, Collection<? extends Said<?>> all) {
		super("its partitions say different things of " + key + " ("
				+ all.stream()
					.map((said) -> "partition " + said.partition() + ": " + (said.isDeletion() ? "deletion, " : "")
							+ "resourceVersion '" + said.version() + "', uid '" + said.uid() + "'")
					.collect(Collectors.joining("; "))
				+ "), as happens when partitions are added, and nothing shows which is later. Make a new topic with "
				+ "the number of partitions that you want, and have the publisher and all mirrors use it");
	}

}
