import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { AutomationToken } from '../model/automation-token.ts';

/** The aggregate of automation tokens, whose changes have no effects elsewhere. */
export const automationTokenAggregate = defineAggregate<AutomationToken, never, Deps>({
  collection: (deps) => deps.automationTokens,
  effects: {},
});
