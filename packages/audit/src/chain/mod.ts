/** The hash chain of the audit log, as servers and the readers of an export verify it. */
export { type ChainedEntry, chainHash, FIRST_HASH } from './chain-hash.ts';
export {
  type ChainEnd,
  type ChainStart,
  ChainVerifier,
  type Fault,
  type FaultKind,
  type Link,
} from './chain-verifier.ts';
export type { Checkpoint } from './checkpoint.ts';
export { EXPORT_FORMAT, EXPORT_VERSION } from './export-format.ts';
export {
  type CheckpointContent,
  type CutContent,
  isCutSignedBy,
  isSignedBy,
  keyIdOf,
  type PublicKeys,
  readPublicKey,
  readSigningKeys,
  type SigningKeys,
} from './signing-keys.ts';
export {
  type ExportFault,
  type ExportVerification,
  type Trusted,
  UNSIGNED_FOR_MS,
  verifyExport,
} from './verify-export.ts';
