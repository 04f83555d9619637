/**
 * An application that mirrors a REST API. The guide shows parts of it.
 */
package com.example.library;
