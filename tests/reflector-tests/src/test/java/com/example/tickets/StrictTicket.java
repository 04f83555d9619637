package com.example.tickets;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/** A ticket whose phase must be one of these. */
@ReflectedResource(apiVersion = "example.com/v1", kind = "Ticket", name = "strict-tickets")
record StrictTicket(ObjectMeta metadata, Phase phase) {

	enum Phase {

		Open, Closed

	}

}
