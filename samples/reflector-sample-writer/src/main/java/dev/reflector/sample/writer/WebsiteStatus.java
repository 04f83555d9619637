package dev.reflector.sample.writer;

import dev.reflector.write.AppliedResource;

@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
record WebsiteStatus(String phase, Long observedGeneration) {

}
