/** For tests and benchmarks that read or write the service's documents behind its API. */
export { createPasswords } from './core/components/passwords.ts';
export { type Account, accounts, newAccount, withDerived } from './core/model/account.ts';
export { type Device, devices } from './core/model/device.ts';
export { newToken, type Token, tokenDigest, tokens } from './core/model/token.ts';
