/** A text of these characters only folds to its lower case. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * A text without the differences of case, so that texts which differ in case only are equal, and so are their parts. It is the full
 * case folding of Unicode (`ß` and `ẞ` become `ss`, `ﬁ` becomes `fi`, both small sigmas become `σ`), after canonical
 * composition (`e` with an accent equals `é`). Beyond that the four letters I of Turkish, with and without a dot, are one:
 * a search must not depend on the language of a name.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Upper case expands what has several letters, lower case before it reaches those that have no upper case of their own.
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}
