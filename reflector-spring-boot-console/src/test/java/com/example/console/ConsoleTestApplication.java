package com.example.console;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import dev.reflector.event.ResourceEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * An application with its own resource type and with Secrets.
 */
@SpringBootApplication
public class ConsoleTestApplication {

	/** The action of the listener. */
	public static final AtomicReference<Consumer<ResourceEvent<Widget>>> LISTENER = new AtomicReference<>((event) -> {
	});

	/** A size that is hidden. */
	public static final int HIDDEN_SIZE = 4711;

	/** A key that is hidden. */
	public static final String HIDDEN_KEY = "masked/veiled";

	private static final Set<Object> HIDDEN_VALUES = Set.of(HIDDEN_SIZE, HIDDEN_KEY);

	private static final List<String> HIDDEN = List.of("widgets.object.spec.password",
			"widgets.object.metadata.annotations.example.com/pin", "widgets.object.metadata.labels.example.com/owner");

	@EventListener
	void on(ResourceEvent<Widget> event) {
		LISTENER.get().accept(event);
	}

	@Bean
	SanitizingFunction passwords() {
		return (data) -> HIDDEN.stream().anyMatch(data.getKey()::endsWith) || HIDDEN_VALUES.contains(data.getValue())
				? data.withValue("******") : data;
	}

	@ReflectedResource(apiVersion = "example.com/v1")
	public record Widget(ObjectMeta metadata, @Nullable Spec spec) {

		public record Spec(int size, @Nullable String password) {

		}

	}

	@ReflectedResource(apiVersion = "v1")
	record Secret(ObjectMeta metadata, @Nullable Map<String, String> data,
			@JsonProperty("texts") @JsonAlias("stringData") @Nullable Map<String, String> stringData) {

		@JsonProperty(access = JsonProperty.Access.READ_ONLY)
		@Nullable String getDecoded() {
			return (this.data != null) ? String.join(",", this.data.values()) : null;
		}

	}

}
