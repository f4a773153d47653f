import { expect, it } from 'vitest';
import { redactUrl } from './redact-url.ts';

it.each([
  ['/sync?access_token=abc', '/sync?access_token=[redacted]'],
  ['/sync?since=s1&access_token=abc&timeout=0', '/sync?since=s1&access_token=[redacted]&timeout=0'],
  ['/sync?access_token=a&access_token=b', '/sync?access_token=[redacted]&access_token=[redacted]'],
  ['/sync?access%5Ftoken=abc', '/sync?access%5Ftoken=[redacted]'],
  ['/sync?access_token=a=b?c#top', '/sync?access_token=[redacted]#top'],
  ['/validity?token=abc', '/validity?token=[redacted]'],
  ['http://h/p?access_token', 'http://h/p?access_token=[redacted]'],
])('hides the token of %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

it.each(['/users', '/users?', '/users?from=0&limit=10', '/users?%zz=1', '/access_token=1', '*'])(
  'leaves %s alone',
  (url) => {
    expect(redactUrl(url)).toBe(url);
  },
);
