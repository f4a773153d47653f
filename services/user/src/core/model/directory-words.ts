/** What separates words: punctuation, white space, invisible characters, and signs. \x60 is the grave accent. */
const BREAKS = /[\p{P}\p{Z}\p{Cc}\p{Cf}\p{Cs}$+<=>^\x60|~]+/u;

/** Longer than the longest display name and the longest user id, in UTF-16 units; the rest is not looked at. */
const MAX_TEXT_UNITS = 1_000;

/** Of longer words the beginning is compared. */
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

/** Stands before the words of locked accounts, which are looked for apart; no word begins with it. */
const LOCKED = '!';

/** A word as an account holds it, and as it is looked for among the accounts that are locked or not. */
export function directoryWord(word: string, { locked }: { readonly locked: boolean }): string {
  return locked ? LOCKED + word : word;
}
