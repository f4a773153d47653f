/** For tests and benchmarks that read or write the service's documents behind its API. */
export { createPasswords } from './core/components/passwords.ts';
export { type Account, accounts, newAccount, withDerived } from './core/model/account.ts';
export { type Connection, connections } from './core/model/connection.ts';
export { type Device, devices } from './core/model/device.ts';
export { type SignIn, storedSignIns } from './core/model/sign-in.ts';
export { newToken, type Token, tokenDigest, tokens } from './core/model/token.ts';
