import { expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

/** The end of the planes in which letters have cases. */
const LAST_CASED = 0x1ffff;

it.each([
  ['STRASSE', 'Straße', 'STRAẞE'],
  ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul', 'i\u0307stanbul', 'I\u0307stanbul'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  ['ÉTÉ', 'été', 'e\u0301te\u0301', 'E\u0301TÉ'],
  ['ﬁn', 'FIN'],
  ['ǅ', 'ǆ', 'Ǆ'],
  ['Ⅷ', 'ⅷ'],
  ['𐐀', '𐐨'],
])('folds %j and other spellings of it to the same text', (first, ...others) => {
  for (const other of others) expect(foldText(other)).toBe(foldText(first));
});

it('keeps apart what differs in more than case', () => {
  const different = ['e', 'é', 'ss', 's', 'σ', 's\u0307', 'j\u0307', 'j', '한', '하'];
  expect(new Set(different.map(foldText)).size).toBe(different.length);
});

it('finds the beginning of a word whose last letter is another one inside of it', () => {
  expect(foldText('Οδοσήμανση')).toContain(foldText('ΟΔΟΣ'));
});

it('has no difference left between the cases of any character', () => {
  const differing: string[] = [];
  for (let code = 0; code <= LAST_CASED; code++) {
    const text = `a${String.fromCodePoint(code)}a`.toWellFormed();
    const folded = foldText(text);
    const others = [folded, text.toLowerCase(), text.toUpperCase(), text.normalize('NFD')];
    if (others.some((other) => foldText(other) !== folded)) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
});
