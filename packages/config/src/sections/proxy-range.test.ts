import { expect, it } from 'vitest';
import { isProxyRange } from './proxy-range.ts';

it.each(['loopback', 'uniquelocal', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])(
  '%s names proxies',
  (range) => {
    expect(isProxyRange(range)).toBe(true);
  },
);

it.each(['', 'proxy', '10.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8'])(
  '%s does not',
  (range) => {
    expect(isProxyRange(range)).toBe(false);
  },
);
