import type { SigningKeys } from '@steward/audit/chain';
import type { Clock, Random } from '@steward/kernel';
import type { OpenedCollections } from '@steward/service';
import type { collections } from '../collections.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import type { SigningRecord } from './signing-record.ts';

/** The dependencies of the hash chain. */
export interface ChainDeps
  extends Pick<OpenedCollections<typeof collections>, 'auditChains' | 'auditCheckpoints' | 'auditLog'> {
  readonly serverName: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Called before entries are sealed, which then have no outcome; they can be the same again after a crash. */
  readonly sealing: (entries: readonly AuditEntry[]) => Promise<void>;
  /** The number of entries between two checkpoints. */
  readonly checkpointEntries: number;
  /** The keys of checkpoints. */
  readonly signingKeys: SigningKeys;
  /** What this server has signed. */
  readonly signingRecord: SigningRecord;
}
