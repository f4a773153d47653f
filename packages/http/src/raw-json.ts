/** A number kept as its text, because a JavaScript number would lose digits or the spelling. */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  // Part of the standard and of Node; missing in the compiler's library.
  interface JSON {
    /** A value that `JSON.stringify` writes as the given text, which must be the JSON of a primitive. */
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}
