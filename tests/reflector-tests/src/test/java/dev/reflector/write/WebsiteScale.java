package dev.reflector.write;

@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
record WebsiteScale(AppliedMeta metadata, Spec spec) {

	record Spec(Integer replicas) {

	}

}
