import { targetText } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { Random } from '@steward/kernel';
import type { Rights } from '@steward/rpc';
import { type AddressRules, checkUrl, createSecret, parseSecret } from '@steward/webhooks';
import { requireVisibleTypes } from './webhook-rights.ts';

/** The most types and patterns, and the most targets, of a webhook. */
const MAX_ITEMS = 100;

/** The length limit of a target, in characters, as events have them. */
const MAX_TARGET_LENGTH = 255;

/** C0, DEL and C1. */
const CONTROL = /\p{Cc}/u;

/** @throws refuse.invalidParam for a URL that is none, or leads inside */
export function readUrl(text: string, rules: AddressRules): string {
  const refusal = checkUrl(text, rules);
  if (refusal !== undefined) throw refuse.invalidParam(`'url' ${refusal}`);
  return text;
}

/** @throws refuse.invalidParam for control characters and lone surrogates */
export function readDescription(text: string): string {
  if (CONTROL.test(text) || !text.isWellFormed())
    throw refuse.invalidParam("'description' must not contain control characters");
  return text;
}

/**
 * The types and patterns of a request, each once.
 *
 * @throws refuse.invalidParam for an unknown one, and for too many; refuse.forbidden when the caller may not see one of the types
 */
export function readTypes(patterns: readonly string[], caller: Rights): readonly string[] {
  if (patterns.length > MAX_ITEMS) throw refuse.invalidParam(`A webhook has at most ${MAX_ITEMS} 'types'`);
  requireVisibleTypes(caller, patterns);
  return [...new Set(patterns)];
}

/** @throws refuse.invalidParam for too many targets, and for one that no event can have */
export function readTargets(targets: readonly string[]): readonly string[] {
  if (targets.length > MAX_ITEMS) throw refuse.invalidParam(`A webhook has at most ${MAX_ITEMS} 'targets'`);
  if (targets.some((target) => target === '' || target.length > MAX_TARGET_LENGTH))
    throw refuse.invalidParam(`Each of 'targets' has 1 to ${MAX_TARGET_LENGTH} characters`);
  return [...new Set(targets.map(targetText))];
}

/**
 * The secret of a request, or a new one.
 *
 * @throws refuse.invalidParam, without the secret, when it is none
 */
export function readSecret(text: string | undefined, random: Random): string {
  if (text === undefined) return createSecret(random);
  if (!parseSecret(text))
    throw refuse.invalidParam("'secret' must be 'whsec_' and the base64 of 24 to 64 bytes");
  return text;
}
