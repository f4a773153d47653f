// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether every engine stores a text as it is. */
export function isStorable(text: string): boolean {
  return text.isWellFormed();
}

/** Whether a text has no control characters. */
export function withoutControls(text: string): boolean {
  return !CONTROL.test(text);
}
