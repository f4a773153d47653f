import { expect, it } from 'vitest';
import { registrationMac } from './registration-mac.ts';

// Computed with openssl: printf 'n\0u\0p\0admin' | openssl dgst -sha1 -hmac secret
it.each([
  [{ admin: true }, 'f393a2fa070427923635b76f35737172331c3aef'],
  [{}, '0f2b4751fa14a68d6a6878c313b752580706c394'],
  [{ userType: 'bot' }, '2c9b2273f261e9b9a81e59aa235967ecc2f77b56'],
])('covers %j', (rest, mac) => {
  expect(registrationMac('secret', { nonce: 'n', username: 'u', password: 'p', ...rest })).toBe(mac);
});
