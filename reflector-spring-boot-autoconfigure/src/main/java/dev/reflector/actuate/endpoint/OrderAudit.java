package dev.reflector.actuate.endpoint;

import java.security.Principal;
import java.util.Map;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Has orders given through the endpoint heard of as audit events, which the actuator
 * keeps when the application has a place for them.
 */
final class OrderAudit {

	static final String TYPE = "REFLECTOR_ORDER";

	static final String ACCEPTED = "ACCEPTED";

	static final String IGNORED = "IGNORED";

	static final String FAILED = "FAILED";

	private final ApplicationEventPublisher publisher;

	OrderAudit(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	void ordered(SecurityContext who, String reflector, String action, String outcome) {
		Principal principal = who.getPrincipal();
		this.publisher.publishEvent(new AuditApplicationEvent((principal != null) ? principal.getName() : "", TYPE,
				Map.of("reflector", reflector, "action", action, "outcome", outcome)));
	}

}
