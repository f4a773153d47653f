import { expect, it } from 'vitest';
import { visibleLine } from './say.ts';

it.each([
  ['plain Straße 日本 👩‍👩‍👧', 'plain Straße 日本 👩‍👩‍👧'],
  ['a\u001b[2Jb', 'a\\u{1b}[2Jb'],
  ['a\u009b31mb', 'a\\u{9b}31mb'],
  ['a\r\nimport: all is well', 'a\\u{d}\\u{a}import: all is well'],
  ['\u202egpj.exe\u2066', '\\u{202e}gpj.exe\\u{2066}'],
  ['\ud800', '\\u{d800}'],
])('shows %j as %j', (text, shown) => {
  expect(visibleLine(text)).toBe(shown);
});
