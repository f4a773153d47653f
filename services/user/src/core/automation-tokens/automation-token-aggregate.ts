import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { AutomationToken } from '../model/automation-token.ts';

/** What changes of automation tokens need. */
export type AutomationTokenDeps = Pick<Deps, 'automationTokens' | 'clock' | 'random'>;

/** The aggregate of automation tokens, whose changes have no effects elsewhere. */
export const automationTokenAggregate = defineAggregate<AutomationToken, never, AutomationTokenDeps>({
  collection: (deps) => deps.automationTokens,
  effects: {},
});
