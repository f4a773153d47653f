import { type EventFilter, NO_FILTER, readEventFilter } from '../../core/protocol/mod.ts';

/** A percent sign that begins no escape sequence. */
const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * Reads the filter of a request, which is percent-encoded once more than other parameters (behaviour.md 10.5); without
 * a filter every event matches.
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
    // The escapes are not UTF-8, so the text is not encoded a second time.
    return text;
  }
}
