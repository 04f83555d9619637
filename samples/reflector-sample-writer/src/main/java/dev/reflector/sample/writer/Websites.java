package dev.reflector.sample.writer;

import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ObjectGoneException;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteConflictException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Websites {

	private static final Logger logger = LoggerFactory.getLogger(Websites.class);

	private final ResourceWriter writer;

	Websites(ResourceWriter writer) {
		this.writer = writer;
	}

	@EventListener
	void on(ResourceEvent<Website> event) {
		if (event instanceof ResourceDeletedEvent) {
			return;
		}
		Website site = event.resource();
		boolean valid = site.spec() != null && site.spec().host() != null;
		try {
			this.writer.status(AppliedMeta.of(site.metadata()),
					new WebsiteStatus(valid ? "Ready" : "Invalid", site.metadata().generation()));
		}
		catch (ObjectGoneException ex) {
			logger.debug("{} is deleted, and its event is on its way", event.key());
		}
		catch (WriteConflictException ex) {
			logger.warn("The status of {} belongs to another manager: {}", event.key(), ex.conflicts());
		}
	}

}
