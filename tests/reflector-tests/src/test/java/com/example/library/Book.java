package com.example.library;

import dev.reflector.ReflectedResource;

// tag::book[]
@ReflectedResource(apiVersion = "library.example.com/v1")
record Book(String isbn, String title) {

}
// end::book[]
