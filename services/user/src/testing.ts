/** For tests and benches that look behind the API: where the service keeps what. */
export { type Account, newAccount, withDerived } from './core/model/account.ts';
export { accounts, devices, tokens } from './core/collections.ts';
export type { Device } from './core/model/device.ts';
export { createPasswords } from './core/components/passwords.ts';
export { newToken, type Token, tokenDigest } from './core/model/token.ts';
