/** What the packages of Ketch share. Not exported. */
package dev.ketch.internal;
