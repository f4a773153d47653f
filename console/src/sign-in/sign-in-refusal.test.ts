import { expect, it } from 'vitest';
import { signInRefusalOf } from './sign-in-refusal.ts';

it.each([
  [403, 'M_FORBIDDEN', 'Wrong user name or password', 'session:wrong'],
  [401, 'M_UNKNOWN_TOKEN', 'Unknown access token', 'session:wrong'],
  [403, 'M_FORBIDDEN', 'This account has no role', 'session:not_permitted'],
  [403, 'M_FORBIDDEN', 'The login token was used before', 'session:provider_again'],
  [429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', 'session:throttled'],
  [403, 'M_USER_SUSPENDED', 'This account is suspended', 'common:error.suspended'],
  [401, 'M_USER_LOCKED', 'This account is locked', 'common:error.locked'],
  [403, 'ORG_MATRIX_EXPIRED_ACCOUNT', 'This account has expired', 'common:error.expired'],
  [0, 'NETWORK_ERROR', 'fetch failed', 'common:error.network'],
  [503, 'M_UNKNOWN', 'Unavailable', 'session:failed'],
] as const)('A sign-in that is refused with %d %s %j says %s', (status, errcode, message, sentence) => {
  expect(signInRefusalOf({ status, errcode, message })).toBe(sentence);
});
