/** For tests and benches that look behind the API: where the service keeps what. */
export { type Account, newAccount, withDerived } from './accounts/account.ts';
export { accounts, devices, tokens } from './collections.ts';
export type { Device } from './devices/device.ts';
export { createPasswords } from './sessions/passwords.ts';
export { newToken, type Token, tokenDigest } from './sessions/token.ts';
