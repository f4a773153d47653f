import { z } from 'zod';
import { settings } from '../setting.ts';

/** Half a year, as the audit log. */
const EVIDENCE_RETENTION_MS = 180 * 24 * 60 * 60 * 1_000;

/** Short enough for one notice. */
const MAX_NOTICE_LENGTH = 2_000;

/** Reports of events, users and rooms. */
export const reports = z.strictObject({
  evidence_retention_ms: z.int().positive().default(EVIDENCE_RETENTION_MS).register(settings, {
    governs:
      'How long copies of what was reported are kept after the last report that shows them, in milliseconds',
  }),
  forbid_own_cases: z.boolean().default(false).register(settings, {
    governs:
      'Whether a moderator is refused who would resolve or reopen a case about themselves, or delete such a report. Otherwise the answer has `concerns_decider`, and the audit log shows both',
  }),
  notify_reporters: z.boolean().default(false).register(settings, {
    governs:
      'Whether users are notified by a server notice when what they reported was decided, unless the moderator says otherwise. Requires `notices.enabled`',
    env: 'STEWARD_REPORTS_NOTIFY_REPORTERS',
  }),
  reporter_notice: z
    .string()
    .min(1)
    .max(MAX_NOTICE_LENGTH, `must have at most ${MAX_NOTICE_LENGTH} characters`)
    .default('Thank you for your report of {subject}. Our moderators have looked at it: {outcome}.')
    .register(settings, {
      governs:
        'The text of that notice. `{subject}` stands for what was reported (a message, a user, a room), `{outcome}` for the decision in words, `{date}` for the day of the report (UTC, `2026-01-31`)',
    }),
});
