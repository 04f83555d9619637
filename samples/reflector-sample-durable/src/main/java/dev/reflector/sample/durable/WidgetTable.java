package dev.reflector.sample.durable;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Writes each change of a widget to a table.
 * <p>
 * A change is completed when the listener returns, so the listener returns after the
 * database has committed. After a crash the last changes may come again: writing a row
 * twice, or deleting it twice, leaves the same table as doing it once.
 */
@Component
class WidgetTable {

	private static final Logger logger = LoggerFactory.getLogger(WidgetTable.class);

	private final JdbcClient jdbc;

	WidgetTable(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@EventListener
	void on(ResourceEvent<Widget> event) {
		if (event instanceof ResourceDeletedEvent<Widget>) {
			delete(event.key());
		}
		else {
			save(event.key(), event.resource());
		}
		logger.info("Written: {}, cause {}", event, event.cause());
	}

	private void save(ResourceKey key, Widget widget) {
		this.jdbc.sql("""
				INSERT INTO widgets (namespace, name, size) VALUES (:namespace, :name, :size)
				ON CONFLICT (namespace, name) DO UPDATE SET size = excluded.size
				""")
			.param("namespace", key.namespace())
			.param("name", key.name())
			.param("size", (widget.spec() != null) ? widget.spec().size() : null)
			.update();
	}

	private void delete(ResourceKey key) {
		this.jdbc.sql("DELETE FROM widgets WHERE namespace = :namespace AND name = :name")
			.param("namespace", key.namespace())
			.param("name", key.name())
			.update();
	}

	List<Map<String, @Nullable Object>> rows() {
		return this.jdbc.sql("SELECT namespace, name, size FROM widgets ORDER BY namespace, name").query().listOfRows();
	}

}
