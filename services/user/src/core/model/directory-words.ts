/** What separates words: punctuation, white space, invisible characters, and signs. \x60 is the grave accent. */
const BREAKS = /[\p{P}\p{Z}\p{Cc}\p{Cf}\p{Cs}$+<=>^\x60|~]+/u;

/** Longer than the longest display name and the longest user id, in UTF-16 units; the rest is ignored. */
const MAX_TEXT_UNITS = 1_000;

/** The longest word, in characters; of longer ones only the beginning is compared. */
const MAX_WORD_CHARACTERS = 64;

/** The different words of a text as the user directory compares them, whatever their case and spelling. */
export function wordsOf(text: string): readonly string[] {
  const words = text
    .slice(0, MAX_TEXT_UNITS)
    .normalize('NFKC')
    .toLowerCase()
    .split(BREAKS)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, MAX_WORD_CHARACTERS).join(''));
  return [...new Set(words)];
}

/** Prefix of the words of locked accounts, which are searched for separately; no word begins with it. */
const LOCKED = '!';

/** A word in the form that accounts, locked or not, store and that searches compare. */
export function directoryWord(word: string, { locked }: { readonly locked: boolean }): string {
  return locked ? LOCKED + word : word;
}
