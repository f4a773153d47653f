import { expect, it } from 'vitest';
import { localeOf } from './locale.ts';

it.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['en-US'], 'en-US'],
  ['en', ['en'], 'en'],
  ['en', ['de-CH', 'en-IE'], 'en-IE'],
  ['en', ['de-AT'], 'en-AT'],
  ['en', ['de'], 'en-DE'],
  ['de', ['en-US', 'de-CH'], 'de-CH'],
  ['de', ['en-GB'], 'de-GB'],
  ['en', ['C', 'en_GB.UTF-8'], 'en'],
  ['de', [], 'de'],
])('Dates and numbers in %s are written for a browser with %j by %s', (language, preferred, locale) => {
  expect(localeOf(language, preferred)).toBe(locale);
});

it('A British browser has days before months, and 24 hours', () => {
  const written = new Intl.DateTimeFormat(localeOf('en', ['en-GB']), {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  expect(written.format(Date.UTC(2026, 10, 26, 16, 45, 33))).toBe('26 Nov 2026, 16:45:33');
});
