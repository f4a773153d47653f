/**
 * The messages of another language: the same keys as in English, with the forms of the plural that the language has. A missing
 * or additional key does not compile.
 */
export type Translation<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Translation<Messages[Key]>;
};

/** A text for each name of a closed set, such as `account.created`, by its parts. */
export type PhrasesOf<Name extends string> = {
  readonly [Group in Name extends `${infer G}.${string}` ? G : never]: {
    readonly [Each in Name as Each extends `${Group}.${infer Rest}` ? Rest : never]: string;
  };
};
