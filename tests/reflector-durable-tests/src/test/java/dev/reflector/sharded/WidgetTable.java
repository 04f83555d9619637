package dev.reflector.sharded;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ShardAcquiredEvent;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** As in the guide. */
@Component
class WidgetTable {

	private final JdbcClient jdbc;

	WidgetTable(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@EventListener
	@Transactional
	void begin(ShardAcquiredEvent event) {
		if (isOwner(event.slot(), event.epoch())) {
			// all objects of the slot follow
			this.jdbc.sql("delete from widgets where slot = ?").param(event.slot()).update();
		}
	}

	@EventListener
	@Transactional
	void change(ResourceEvent<Widget> event) {
		Ownership ownership = event.ownership();
		if (ownership != null && isOwner(ownership.slot(), ownership.epoch())) {
			ResourceKey key = event.key();
			this.jdbc.sql("delete from widgets where slot = ? and namespace = ? and name = ?")
				.params(ownership.slot(), key.namespace(), key.name())
				.update();
			if (!(event instanceof ResourceDeletedEvent<?>)) {
				this.jdbc.sql("insert into widgets (slot, namespace, name, size) values (?, ?, ?, ?)")
					.params(ownership.slot(), key.namespace(), key.name(), event.resource().size())
					.update();
			}
		}
	}

	private boolean isOwner(int slot, long epoch) {
		// locks the row of the slot until the end of the transaction
		return this.jdbc.sql("update slots set epoch = ? where slot = ? and epoch <= ?")
			.params(epoch, slot, epoch)
			.update() == 1;
	}

}
