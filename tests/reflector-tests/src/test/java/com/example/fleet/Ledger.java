package com.example.fleet;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;

// tag::handler[]
final class Ledger implements ResourceEventHandler<Site> {

	final Queue<String> lines = new ConcurrentLinkedQueue<>();

	@Override
	public void onChange(Change<Site> change) {
		if (change.cause() != Change.Cause.RESYNC) {
			this.lines.add(change.type() + " " + change.key().name() + " in " + change.object().city());
		}
	}

}
// end::handler[]
