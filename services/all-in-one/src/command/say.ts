/** What a terminal obeys or hides: control characters, and the marks that reorder or hide text. The joiners of scripts stay. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that may come from others, as one line that a terminal may show: what it would obey or hide becomes `\u{...}`. */
export function visibleLine(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Prints a line on standard output, with `visibleLine`. */
export function sayResult(line: string): void {
  process.stdout.write(`${visibleLine(line)}\n`);
}

/** Prints a line on standard error, with `visibleLine`. */
export function say(line: string): void {
  process.stderr.write(`${visibleLine(line)}\n`);
}
