package com.example.tickets;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Ticket(ObjectMeta metadata,
		@JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE) Phase phase) {

	enum Phase {

		@JsonProperty("Open")
		OPEN,

		@JsonProperty("Closed")
		CLOSED,

		@JsonEnumDefaultValue
		OTHER

	}

}
