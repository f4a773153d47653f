/**
 * The messages of another language: the same keys as in English, with the forms of the plural that the language has. A missing
 * or additional key does not compile.
 */
export type Translation<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Translation<Messages[Key]>;
};
