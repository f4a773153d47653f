import { declareLease } from '@steward/service';

/** The lease of the process that sends the messages of webhooks. */
export const webhookLeases = declareLease('moderation.webhook_leases');
