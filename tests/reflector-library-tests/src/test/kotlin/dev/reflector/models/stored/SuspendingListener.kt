package dev.reflector.models.stored

import dev.reflector.event.ResourceEvent
import org.springframework.context.event.EventListener

/** A listener that may return before its work is done. */
class SuspendingListener {

	@EventListener
	suspend fun changed(event: ResourceEvent<*>) {
		println(event.key())
	}

}
