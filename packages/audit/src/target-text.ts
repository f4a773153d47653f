/** The length limit of a target, in characters: ids are at most 255 bytes long. */
const MAX_TARGET_LENGTH = 255;

/** A target as stored and searched for: bounded, well-formed, and without NUL, which the stores do not accept. */
export function targetText(text: string): string {
  return text.slice(0, MAX_TARGET_LENGTH).replaceAll('\0', '\u{FFFD}').toWellFormed();
}
