package dev.reflector.write;

@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
record SiteStatus(String phase, Long observedGeneration) {

}
