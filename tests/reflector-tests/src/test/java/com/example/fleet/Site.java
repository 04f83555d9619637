package com.example.fleet;

import dev.reflector.ReflectedResource;

// tag::site[]
@ReflectedResource(apiVersion = "example.com/v1")
record Site(Metadata metadata, String city) {

	record Metadata(String name, String resourceVersion) {
	}

}
// end::site[]
