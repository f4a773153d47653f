import { type EventFilter, NO_FILTER, readEventFilter } from '../../core/protocol/mod.ts';

/** A percent sign that encodes nothing. */
const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * Reads the filter of a request, which is percent-encoded once more than other parameters (behaviour.md
 * 10.5); without one every event matches.
 *
 * @throws what `readEventFilter` throws
 */
export function readFilterParameter(text: string | undefined): EventFilter {
  return text === undefined ? NO_FILTER : readEventFilter(decoded(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(STRAY_PERCENT, '%25'));
  } catch {
    // Not UTF-8, and so not encoded.
    return text;
  }
}
