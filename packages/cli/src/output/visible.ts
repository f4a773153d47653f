/**
 * What a terminal obeys or hides: control characters but line break and tab, and the marks that reorder or hide text. The
 * joiners of emoji and scripts stay.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns text of others as a terminal may show it: what the terminal would obey or hide becomes `\u{...}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Returns JSON or double-quoted YAML in which what a terminal would obey or hide is escaped as such text escapes it. */
export function escapeInQuotes(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether text has something that a terminal would obey or hide. */
export function isUnsafe(text: string): boolean {
  return text.search(UNSAFE) >= 0;
}

/** As `visible`, on one line: line breaks and tabs become spaces. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/[\n\t]+/g, ' '));
}
