/**
 * Begins a string that stands for a number. It is the second half of a surrogate pair, with which no other value
 * begins: the encoding cannot represent it, and escapes of it are replaced.
 */
export const MARK = '\udfff';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Rewrites the text of a JSON value for an exact parse by the plain parser: a number that is not a safe integer, or not
 * written as one, becomes a string of `MARK` and the number; halves of surrogate pairs that are escaped in a value
 * become U+FFFD. A text that is not JSON stays none.
 *
 * @throws SyntaxError for some texts that are not JSON
 */
export function markExactValues(text: string): string {
  let marked = '';
  let copied = 0;
  const replace = (start: number, end: number, by: string) => {
    marked += text.slice(copied, start) + by;
    copied = end;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const start = at;
    if (code === QUOTE) {
      at = endOfString(text, start);
      const source = text.slice(start, at);
      if (ESCAPED_SURROGATE.test(source) && !isKey(text, at)) replace(start, at, wellFormed(source));
    } else if (isInNumber(code)) {
      at = endOfNumber(text, start);
      const source = text.slice(start, at);
      // A number in the place of a key is invalid, and must not become a valid string.
      if (isInexact(source) && !isKey(text, at)) replace(start, at, `"${MARK}${source}"`);
    } else {
      at++;
    }
  }
  return marked + text.slice(copied);
}

/** Whether the plain parser would lose the spelling of a number. */
function isInexact(source: string): boolean {
  return INTEGER.test(source) ? !Number.isSafeInteger(Number(source)) : NUMBER.test(source);
}

function wellFormed(source: string): string {
  return JSON.stringify((JSON.parse(source) as string).toWellFormed());
}

/** Returns the position after the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return at;
}

/** Returns the position after the characters that can be in a number. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isInNumber(text.charCodeAt(end)) || (text.charCodeAt(end) | LOWER_CASE) === LOWER_E) end++;
  return end;
}

/** Whether a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === COLON;
}

/** Whether a character can be in a number; an exponent's letter also begins no number. */
function isInNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS || code === POINT || code === PLUS;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_E = 0x65;
/** The bit in which the two cases of a letter differ. */
const LOWER_CASE = 0x20;
