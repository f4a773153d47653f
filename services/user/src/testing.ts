/** For tests and benches that look behind the API: where the service keeps what. */
export { createPasswords } from './core/components/passwords.ts';
export { type Account, accounts, newAccount, withDerived } from './core/model/account.ts';
export { type Device, devices } from './core/model/device.ts';
export { newToken, type Token, tokenDigest, tokens } from './core/model/token.ts';
