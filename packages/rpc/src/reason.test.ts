import { toRefusal } from '@steward/errors';
import { expect, it } from 'vitest';
import { headers } from './headers.ts';
import { parseReason, reasonOf } from './reason.ts';

/** Text as Node reads it from a header: one character for each byte. */
const asSent = (text: string) => Buffer.from(text).toString('latin1');

function refusalOf(work: () => unknown) {
  try {
    return work();
  } catch (error) {
    return toRefusal(error);
  }
}

it.each([
  ['report 4711', 'report 4711'],
  ['Prüfung \u{1F9F9}', 'Prüfung \u{1F9F9}'],
  ['Pr%C3%BCfung%20%F0%9F%A7%B9', 'Prüfung \u{1F9F9}'],
  ['100% sure, 50%25, %2', '100% sure, 50%, %2'],
  ['  spam ', 'spam'],
  ['', undefined],
  ['%20', undefined],
  ['\u200B\u2060 \u{E0020}', undefined],
  ['%E2%80%8B', undefined],
  ['\u3164\u2800\u00AD\u0301', undefined],
  ['\u200Bspam', '\u200Bspam'],
  ['\u{1F9F9}'.repeat(512), '\u{1F9F9}'.repeat(512)],
])('reads %j', (sent, reason) => {
  expect(parseReason(asSent(sent))).toBe(reason);
});

it.each([
  ['\xfc', 'bytes that are not UTF-8'],
  ['%FC', 'escapes that are not UTF-8'],
  ['a%0Ab', 'a line break'],
  ['a%00', 'NUL'],
  ['a\tb', 'a tab'],
  ['%C2%85', 'a C1 control character'],
  ['a%E2%80%A8', 'a line separator'],
  ['x'.repeat(513), 'too many characters'],
])('refuses %j: %s', (sent) => {
  expect(refusalOf(() => parseReason(sent))).toMatchObject({ status: 400, errcode: 'M_INVALID_PARAM' });
});

it('a reason is forwarded without loss', () => {
  const header = new Headers({ [headers.reason]: encodeURIComponent('100% Prüfung') });
  expect(reasonOf(header)).toBe('100% Prüfung');
  expect(reasonOf(new Headers())).toBe('');
  expect(reasonOf(new Headers({ [headers.reason]: '%E2%80%8B' }))).toBe('');
});
