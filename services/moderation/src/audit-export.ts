/** The verification of exports of the audit log, without a server. */
export { keyIdOf, type PublicKeys, readPublicKey } from './core/chain/signing-keys.ts';
export { type ExportVerification, verifyExport } from './core/chain/verify-export.ts';
