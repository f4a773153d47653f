import { escapeInQuotes } from './visible.ts';

/** Returns a value as JSON on several lines, safe for terminals. */
export function prettyJson(value: unknown): string {
  return escapeInQuotes(JSON.stringify(value, null, 2));
}

/** Returns a value as JSON on one line, safe for terminals. */
export function compactJson(value: unknown): string {
  return escapeInQuotes(JSON.stringify(value));
}
