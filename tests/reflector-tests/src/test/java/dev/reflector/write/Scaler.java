package dev.reflector.write;

import java.time.Duration;

/**
 * The code of {@code docs/writing.md}.
 */
class Scaler {

	private final ResourceWriter writer;

	Scaler(ResourceWriter writer) {
		this.writer = writer;
	}

	boolean scale(Website site, int replicas) throws InterruptedException {
		AppliedMeta metadata = AppliedMeta.of(site.metadata());
		WebsiteScale scale = new WebsiteScale(metadata, new WebsiteScale.Spec(replicas));
		return this.writer.apply(scale).awaitMirrored(Duration.ofSeconds(10));
	}

}
