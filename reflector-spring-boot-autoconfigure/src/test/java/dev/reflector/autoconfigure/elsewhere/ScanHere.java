package dev.reflector.autoconfigure.elsewhere;

import dev.reflector.autoconfigure.ReflectedResourceScan;

import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ReflectedResourceScan
public class ScanHere {

}
