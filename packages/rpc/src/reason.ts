import { isUtf8 } from 'node:buffer';
import { refuse } from '@steward/errors';
import { headers } from './headers.ts';

/** The header in which clients state why they make a request. */
export const REASON_HEADER = 'X-Steward-Reason';

/** The length limit of a reason, in characters. */
const MAX_REASON_LENGTH = 512;

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/** A character that shows something: no space, no mark, nothing that is ignored, and not the blank of Braille. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Control characters, and what breaks lines. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The reason that a client states in `X-Steward-Reason`: text in UTF-8, in which percent escapes are decoded; undefined for
 * an empty one, and one that shows nothing, such as zero-width spaces.
 *
 * @param sent the value of the header, one character for each of its bytes, as Node reads it
 * @throws refuse.invalidParam for text that is not UTF-8, too long, or contains control characters
 */
export function parseReason(sent: string): string | undefined {
  const bytes = Buffer.from(sent, 'latin1');
  if (!isUtf8(bytes)) throw invalid('is not UTF-8');
  const text = checked(unescapePercent(bytes.toString())).trim();
  return VISIBLE.test(text) ? text : undefined;
}

/**
 * The reason of a call; empty without one.
 *
 * @throws refuse.invalidParam as `parseReason`
 */
export function reasonOf(header: Pick<Headers, 'get'>): string {
  const encoded = header.get(headers.reason);
  const text = encoded === null ? '' : checked(unescapePercent(encoded));
  return VISIBLE.test(text) ? text : '';
}

function checked(text: string): string {
  if (UNPRINTABLE.test(text)) throw invalid('contains control characters');
  if ([...text].length > MAX_REASON_LENGTH) throw invalid(`has more than ${MAX_REASON_LENGTH} characters`);
  return text;
}

function unescapePercent(text: string): string {
  try {
    return text.replaceAll(ESCAPES, decodeURIComponent);
  } catch {
    throw invalid('is not UTF-8');
  }
}

function invalid(problem: string): Error {
  return refuse.invalidParam(`The header ${REASON_HEADER} ${problem}`);
}
