package dev.reflector.actuate.endpoint;

import java.security.Principal;
import java.util.Map;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes each operation that a request to the endpoint triggers as an audit event. If
 * the application has an audit event repository, the actuator stores these events.
 */
final class OperationAudit {

	static final String TYPE = "REFLECTOR_OPERATION";

	static final String ACCEPTED = "ACCEPTED";

	static final String IGNORED = "IGNORED";

	static final String FAILED = "FAILED";

	private final ApplicationEventPublisher publisher;

	OperationAudit(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	void performed(SecurityContext who, String reflector, String action, String outcome) {
		Principal principal = who.getPrincipal();
		this.publisher.publishEvent(new AuditApplicationEvent((principal != null) ? principal.getName() : "", TYPE,
				Map.of("reflector", reflector, "action", action, "outcome", outcome)));
	}

}
