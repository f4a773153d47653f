import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it.each([
  ['a user id', '@bob:test', '"@bob:test"'],
  [
    'a user id with every character of the grammar',
    '@a.b_c=d-e/f+0:[::1]:8448',
    '"@a.b_c=d-e/f+0:[::1]:8448"',
  ],
  ['an id of a medium', '-aB_9', '"-aB_9"'],
  ['a room id', '!room:test', '!room:test'],
  ['a formula', '=1+1', `"'=1+1"`],
  ['a formula that calls', '@SUM(A1):b', `"'@SUM(A1):b"`],
  ['a user id of an earlier grammar that reaches a program', "@cmd|'/c calc'!A0:b", `"'@cmd|'/c calc'!A0:b"`],
  ['a text after a line break', '\n=1', `"'\n=1"`],
  ['a full-width formula', '＝1', `"'＝1"`],
  ['a number in a text', '-5', `"'-5"`],
  ['a number', -5, '-5'],
  ['a semicolon', 'a;b', '"a;b"'],
  ['a tab', 'a\tb', '"a\tb"'],
  ['a comma and quotes', 'a,"b"', '"a,""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['nothing', null, ''],
  ['plain text', 'Bob', 'Bob'],
])('A cell of an export has %s: %j as %j', (_, value, cell) => {
  expect(csvOf([[value, 'next']])).toBe(`${cell},next\r\n`);
});
