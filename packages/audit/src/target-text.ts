/** The longest target that is kept, in characters: ids are at most 255 bytes long. */
const MAX_TARGET_LENGTH = 255;

/** What a request is about, as it is stored and looked for: bounded, and without the character that ends texts. */
export function targetText(text: string): string {
  return text.slice(0, MAX_TARGET_LENGTH).replaceAll('\0', '\u{FFFD}').toWellFormed();
}
