package com.example.writes;

import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;

@AppliedResource(apiVersion = "example.com/v1", kind = "Site")
record SiteSettings(AppliedMeta metadata, Spec spec) {

	record Spec(String host) {

	}

}
