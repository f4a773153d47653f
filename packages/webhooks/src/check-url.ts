import type { AddressRules } from './address-rules.ts';

/**
 * Why requests to a URL are refused, in words for people: a text that follows "url". The name of its host is not resolved.
 *
 * @returns undefined if it is not refused
 */
export function checkUrl(text: string, _rules: AddressRules): string | undefined {
  return URL.canParse(text) ? undefined : 'must be an http or https URL';
}
