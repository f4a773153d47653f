/** The hidden field of a document: an array of grams per search field. */
export const GRAMS = '_grams';

/** Characters of a gram: enough that it is rare, and few enough that short terms have one. */
const GRAM_LENGTH = 3;

/** The runs of three code points in a text, each once; none for a shorter text. */
export function gramsOf(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let end = GRAM_LENGTH; end <= characters.length; end++)
    grams.add(characters.slice(end - GRAM_LENGTH, end).join(''));
  return [...grams];
}

/** The path of the grams of a search field. */
export function gramsPath(field: string): string {
  return `${GRAMS}.${field}`;
}
