import { type AutomationTokenDeps, automationTokenAggregate } from './automation-token-aggregate.ts';

/** How long an expired token is still listed, in milliseconds: a week. */
const LISTED_MS = 7 * 24 * 60 * 60 * 1000;

/** Deletes the tokens that expired a week ago; there are few, see `MAX_AUTOMATION_TOKENS`. */
export async function pruneAutomationTokens(deps: AutomationTokenDeps): Promise<void> {
  // The expiry of a token never changes.
  const expired = { expires_ts: { $lt: deps.clock.now() - LISTED_MS } };
  const found = await deps.automationTokens.find(expired, { projection: { _id: 1 } }).toArray();
  for (const { _id } of found) await automationTokenAggregate.delete(deps, _id);
}
