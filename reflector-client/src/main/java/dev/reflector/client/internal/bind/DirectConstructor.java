package dev.reflector.client.internal.bind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.UndeclaredThrowableException;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;

/**
 * Calls a constructor whose arguments are properties, such as the constructor of a
 * record. The method handle for the call is created once, while Jackson itself would
 * create one for each call.
 */
final class DirectConstructor extends StdValueInstantiator {

	private final MethodHandle constructor;

	private DirectConstructor(StdValueInstantiator source, MethodHandle constructor) {
		super(source);
		this.constructor = constructor;
	}

	/** Returns the number of arguments of the constructor. */
	int arguments() {
		return getWithArgsCreator().getParameterCount();
	}

	/**
	 * Calls the constructor. If it throws an unchecked exception or an error, this method
	 * throws it, too. A checked exception becomes the cause of an
	 * {@link UndeclaredThrowableException}.
	 * @param arguments the arguments
	 * @return the object
	 */
	Object make(@Nullable Object[] arguments) {
		try {
			return (Object) this.constructor.invokeExact(arguments);
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

	@Override
	public Object createFromObjectWith(DeserializationContext context, @Nullable Object[] arguments) {
		try {
			return (Object) this.constructor.invokeExact(arguments);
		}
		catch (Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			return context.handleInstantiationProblem(this._valueClass, arguments, rewrapCtorProblem(context, ex));
		}
	}

	/** Replaces Jackson's own instantiators, and no others. */
	static final class Instantiators extends ValueInstantiators.Base {

		@Override
		public ValueInstantiator modifyValueInstantiator(DeserializationConfig config,
				BeanDescription.Supplier description, ValueInstantiator instantiator) {
			if (instantiator.getClass() == StdValueInstantiator.class && instantiator.getWithArgsCreator() != null
					&& instantiator.getWithArgsCreator().getAnnotated() instanceof Constructor<?> constructor) {
				MethodHandle handle = handle(constructor,
						config.isEnabled(MapperFeature.CAN_OVERRIDE_ACCESS_MODIFIERS));
				return (handle != null) ? new DirectConstructor((StdValueInstantiator) instantiator, handle)
						: instantiator;
			}
			return instantiator;
		}

		private static @Nullable MethodHandle handle(Constructor<?> constructor, boolean override) {
			int arguments = constructor.getParameterCount();
			try {
				if (override) {
					constructor.setAccessible(true);
				}
				return MethodHandles.lookup()
					.unreflectConstructor(constructor)
					.asFixedArity()
					.asType(MethodType.genericMethodType(arguments))
					.asSpreader(Object[].class, arguments);
			}
			catch (IllegalAccessException | RuntimeException ex) {
				// Jackson will report the problem
				return null;
			}
		}

	}

}
