import { ownString } from '@steward/kernel';
import type { StoredEvent } from '../protocol/mod.ts';

/** The key of the content that is searched, by type of event. */
const SEARCHED: ReadonlyMap<string, string> = new Map([
  ['m.room.message', 'body'],
  ['m.room.name', 'name'],
  ['m.room.topic', 'topic'],
]);

/** The type of event with a key such as `content.body`. */
export function typeWithKey(key: string): string | undefined {
  for (const [type, name] of SEARCHED) if (key === `content.${name}`) return type;
  return undefined;
}

/** The most words by which an event is found: the first ones. */
const MAX_WORDS = 100;

/** The most characters of a text in which words are looked for. */
const MAX_CHARS = 4_096;

/** The characters of a word that are compared. */
const MAX_WORD_CHARS = 40;

/**
 * Words; of scripts without spaces between them each character is one. A dictionary, such as that of `Intl.Segmenter`, would cut the
 * same characters otherwise beside others, and in another release, so that a part of a sentence would not be found in it.
 */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** The words of a text, without regard to upper and lower case and to forms of characters, as often as they occur. */
export function wordsOf(text: string): readonly string[] {
  // Upper case first folds letters that have several lower-case forms.
  const folded = text.slice(0, MAX_CHARS).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return (folded.match(WORDS) ?? []).map((word) => word.slice(0, MAX_WORD_CHARS));
}

/** The text of an event that is searched; undefined for none. */
export function searchedText({ type, content }: Pick<StoredEvent, 'type' | 'content'>): string | undefined {
  const key = SEARCHED.get(type);
  return key === undefined ? undefined : ownString(content, key);
}

/** The different words by which an event is found. */
export function entryWordsOf(event: Pick<StoredEvent, 'type' | 'content'>): readonly string[] {
  const text = searchedText(event);
  return text === undefined ? [] : [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
}
