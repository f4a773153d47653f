import { changesIn, rulesOf } from './rule-changes.ts';

/**
 * The account data `m.push_rules` as clients see it, as JSON text.
 *
 * @param content the stored content
 */
export function pushRulesText(userId: string, content: string | undefined): string {
  return JSON.stringify({ global: rulesOf(userId, changesIn(content)) });
}
