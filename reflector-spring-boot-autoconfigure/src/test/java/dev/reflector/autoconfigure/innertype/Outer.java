package dev.reflector.autoconfigure.innertype;

import dev.reflector.ReflectedResource;

public class Outer {

	@ReflectedResource(apiVersion = "v1")
	public class Widget {

	}

}
