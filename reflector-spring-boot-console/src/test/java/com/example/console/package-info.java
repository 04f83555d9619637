/**
 * An application that has a console. Its package is scanned for components, so
 * configurations that only some tests import are in other packages.
 */
package com.example.console;
