/**
 * An application whose objects have values that its enums do not know. The guide shows
 * some of it.
 */
package com.example.tickets;
