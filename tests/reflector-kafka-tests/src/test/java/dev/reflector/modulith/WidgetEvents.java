package dev.reflector.modulith;

import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.annotation.Transactional;

/**
 * Publishes an event of the application for each change, in a transaction.
 */
class WidgetEvents {

	private final ApplicationEventPublisher publisher;

	WidgetEvents(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@EventListener
	@Transactional
	public void on(ResourceEvent<Widget> event) {
		Widget.Spec spec = event.resource().spec();
		this.publisher.publishEvent(new WidgetChanged(event.key().toString(), (spec != null) ? spec.size() : 0,
				event instanceof ResourceDeletedEvent<Widget>));
	}

}
