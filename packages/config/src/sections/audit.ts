import { z } from 'zod';
import { settings } from '../setting.ts';

/** Half a year. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1_000;

/** Enough to see what a user tried, and too few to fill the log. */
const REFUSED_ATTEMPTS_PER_DAY = 100;

/** The name of a scope, as in `docs/access.md`. */
const SCOPE = /^[a-z_]+:[a-z_]+$/;

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
});
