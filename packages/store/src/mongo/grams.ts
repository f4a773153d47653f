/** The hidden field of a document: an array of grams per search field. */
export const GRAMS = '_grams';

/** Characters of a gram: enough to be rare, few enough for short terms. */
const GRAM_LENGTH = 3;

/** The runs of three code points that a text contains, each once; none for a shorter text. */
export function gramsOf(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let end = GRAM_LENGTH; end <= characters.length; end++)
    grams.add(characters.slice(end - GRAM_LENGTH, end).join(''));
  return [...grams];
}

/** Where the grams of a search field are. */
export function gramsPath(field: string): string {
  return `${GRAMS}.${field}`;
}
