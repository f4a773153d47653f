import { expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';

it.each([
  ['isolates', '\u2068@bob:test\u2069', '@bob:test'],
  ['isolates within', 'Event by \u2068@bob:test\u2069', 'Event by @bob:test'],
  ['embeddings and overrides', '\u202a\u202e@bob:test\u202c', '@bob:test'],
  ['marks of direction', '\u200e@bob\u200f:test\u061c', '@bob:test'],
  ['zero-width spaces', '\u200b@bob\u200b:test\ufeff', '@bob:test'],
  ['joiners in an id', '@b\u200dob\u200c:test\u200d', '@bob:test'],
  ['word joiners and soft hyphens', '@bo\u2060b\u00ad:test', '@bob:test'],
  ['white space around', '\u00a0 \t@bob:test\u3000\r\n', '@bob:test'],
  ['white space between what is removed', '\u2068 @bob:test \u2069', '@bob:test'],
  ['joiners of emoji', 'flag 🏳️\u200d🌈', 'flag 🏳️\u200d🌈'],
  ['joiners of a script', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['spaces within', 'Town  hall', 'Town  hall'],
  ['nothing else', '\u2068\u200b\u2069', ''],
])('A text with %s is read as it is seen', (_, given, seen) => {
  expect(cleanText(given)).toBe(seen);
});
