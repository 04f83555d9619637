/**
 * The application of the walk in {@code docs/start.md}, exactly as the page shows it.
 */
package com.example;
