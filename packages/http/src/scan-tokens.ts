/** Integers with fewer digits are safe. */
const UNSAFE_DIGITS = 16;

/** What a text holds if it is JSON; meaningless for other texts. */
export interface Scan {
  /** The deepest nesting. */
  readonly depth: number;
  /** The number of members of all objects together. */
  readonly members: number;
  /** The number of brackets that open, colons and commas, of which there are about as many as keys and values. */
  readonly tokens: number;
  /** Whether a plain parse is exact: no fractions, exponents, long numbers or escaped surrogates. */
  readonly plain: boolean;
}

/** Scans the bytes of a text before it is parsed. Ends when a limit is exceeded. */
export function scanTokens(bytes: Uint8Array, maxDepth: number, maxTokens: number): Scan {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let tokens = 0;
  let digits = 0;
  let plain = true;
  for (let i = 0; i < bytes.length && deepest <= maxDepth && tokens <= maxTokens; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits >= UNSAFE_DIGITS) plain = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) {
          if (bytes[i] !== BACKSLASH) continue;
          i++;
          if (bytes[i] === LOWER_U && ((bytes[i + 1] as number) | LOWER_CASE) === LOWER_D) plain = false;
        }
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        tokens++;
        if (++depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COLON:
        members++;
        tokens++;
        break;
      case COMMA:
        tokens++;
        break;
      case POINT:
      case UPPER_E:
        plain = false;
        break;
      case LOWER_E:
        if (digits > 0) plain = false;
        break;
    }
    digits = 0;
  }
  return { depth: deepest, members, tokens, plain };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_D = 0x64;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The bit in which the two cases of a letter differ. */
const LOWER_CASE = 0x20;
