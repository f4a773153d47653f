import { z } from 'zod';
import { settings } from '../setting.ts';

/** Half a year. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1_000;

/** Enough to see what a user tried, and too few to fill the log. */
const REFUSED_ATTEMPTS_PER_DAY = 100;

/** The name of a scope, as in `docs/access.md`. */
const SCOPE = /^[a-z_]+:[a-z_]+$/;
/** Few enough that the log loses little of its proof when what follows the last checkpoint is lost. */
const CHECKPOINT_ENTRIES = 1_000;

/** The audit log of administrators' actions. */
export const audit = z.strictObject({
  retention_ms: z.int().positive().default(RETENTION_MS).register(settings, {
    governs: 'The retention time of audit log entries, in milliseconds',
  }),
  require_reason: z
    .array(z.string().regex(SCOPE, 'must be a scope such as rooms:content'))
    .default([])
    .register(settings, {
      env: 'STEWARD_AUDIT_REQUIRE_REASON',
      governs:
        'Scopes whose use requires a reason in the header `X-Steward-Reason`, for example `rooms:content`. A recorded request that requires one of them and states no reason is refused',
    }),
  refused_attempts_per_day: z.int().nonnegative().default(REFUSED_ATTEMPTS_PER_DAY).register(settings, {
    governs:
      'How many refused attempts at administrative requests have an audit log entry of their own, for each user and day (UTC) in each process. Further attempts are counted; an entry is added each time that their number has doubled',
  }),
  checkpoint_entries: z.int().positive().default(CHECKPOINT_ENTRIES).register(settings, {
    governs:
      'After how many entries the audit log gets a checkpoint. It gets one each day as well, if there are new entries',
  }),
  signing_key_file: z.string().min(1).optional().register(settings, {
    governs:
      'A PEM file (PKCS #8) with the private Ed25519 key that signs the checkpoints of the audit log, the same for all moderation processes. In one process, one is generated in the data directory by default; otherwise checkpoints are not signed without it',
    env: 'STEWARD_AUDIT_SIGNING_KEY_FILE',
  }),
  signing_record_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file in which a server with a key keeps since which number it signs the audit log, and the last checkpoint that it signed, so that signatures cannot be removed from the database unnoticed. Processes on one machine may share it. In one process, a file in the data directory by default; otherwise nothing is kept without it',
    env: 'STEWARD_AUDIT_SIGNING_RECORD_FILE',
  }),
  former_public_key_files: z.array(z.string().min(1)).default([]).register(settings, {
    governs:
      'PEM files with the public Ed25519 keys of earlier `audit.signing_key_file`s, so that the checkpoints that they signed can still be verified',
    env: 'STEWARD_AUDIT_FORMER_PUBLIC_KEY_FILES',
  }),
});
