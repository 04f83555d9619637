package com.example.writes;

import dev.reflector.write.AppliedResource;

@AppliedResource(apiVersion = "${sites.api-version}", kind = "Site", subresource = "status")
record SiteStatus(String phase) {

}
