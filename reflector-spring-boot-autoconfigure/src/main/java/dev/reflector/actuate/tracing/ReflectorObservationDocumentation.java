package dev.reflector.actuate.tracing;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of reflectors, and their default names.
 *
 * @since 0.1.0
 */
public enum ReflectorObservationDocumentation implements ObservationDocumentation {

	/** One page of a list, or the streamed full state. */
	LIST {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReflectorListObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return ListKeys.values();
		}

	},

	/** The delivery of one change to one handler. */
	DELIVERY {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReflectorDeliveryObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return DeliveryKeys.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return DeliveryDetailKeys.values();
		}

		@Override
		public Observation.Event[] getEvents() {
			return DeliveryEvents.values();
		}

	};

	/** Events during a delivery. */
	enum DeliveryEvents implements Observation.Event {

		/**
		 * Another attempt begins, because an attempt has failed. The contextual name
		 * contains the type of the failure.
		 */
		RETRY {

			@Override
			public String getName() {
				return "retry";
			}

			@Override
			public String getContextualName() {
				return "retry after %s";
			}

		}

	}

	/** Low-cardinality keys of an observed list. */
	enum ListKeys implements KeyName {

		/** Name of the reflector. */
		REFLECTOR {

			@Override
			public String asString() {
				return "reflector";
			}

		},

		/** How the reflector gets the full state: {@code list} or {@code stream}. */
		MODE {

			@Override
			public String asString() {
				return "mode";
			}

		}

	}

	/** Low-cardinality keys of an observed delivery. */
	enum DeliveryKeys implements KeyName {

		/** Name of the reflector. */
		REFLECTOR {

			@Override
			public String asString() {
				return "reflector";
			}

		},

		/** Type of the change: {@code added}, {@code updated} or {@code deleted}. */
		TYPE {

			@Override
			public String asString() {
				return "type";
			}

		}

	}

	/** High-cardinality keys of an observed delivery, for traces only. */
	enum DeliveryDetailKeys implements KeyName {

		/** Namespace and name of the object. */
		KEY {

			@Override
			public String asString() {
				return "reflector.key";
			}

		},

		/** Version of the object. */
		RESOURCE_VERSION {

			@Override
			public String asString() {
				return "reflector.resource.version";
			}

		}

	}

}
