import { expect, it } from 'vitest';
import { admitsScraper } from './admits-scraper.ts';

const TOKEN = 'a token for scrapers';

it('admits everyone where no token is expected', () => {
  expect(admitsScraper(undefined, undefined)).toBe(true);
  expect(admitsScraper('Bearer other', undefined)).toBe(true);
});

it.each([
  [`Bearer ${TOKEN}`, true],
  [undefined, false],
  ['', false],
  [TOKEN, false],
  ['Bearer ', false],
  [`Bearer ${TOKEN}x`, false],
  [`bearer ${TOKEN}`, false],
  [`Basic ${TOKEN}`, false],
])('answers the header %j where a token is expected: %j', (authorization, admitted) => {
  expect(admitsScraper(authorization, TOKEN)).toBe(admitted);
});
