/** A number kept as it is written, because a JavaScript number would change or hide how it is written. */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  // Standard, and in the platform; not yet in the compiler's library.
  interface JSON {
    /** A value that `JSON.stringify` writes as the given text, which must be that of a primitive. */
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
    /** As the two-argument form; `context.source` is the text of a primitive. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source: string }) => unknown,
    ): unknown;
  }
}
