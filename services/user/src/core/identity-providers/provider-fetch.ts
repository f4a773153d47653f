import type { Outcome, Sender } from '@steward/webhooks';
import type { CustomFetch } from 'openid-client';
import { ProviderFailure } from './provider-failure.ts';

/** The statuses whose answers have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/**
 * The requests of the OpenID client: only to permitted addresses, over TLS unless the issuer itself is on this machine, without
 * redirects, and with an answer of limited size.
 *
 * @param signal ends all of them
 * @throws ProviderFailure when there is no answer
 */
export function fetchThrough(
  sender: Pick<Sender, 'get' | 'post'>,
  { mayBePlain, signal }: { readonly mayBePlain: boolean; readonly signal: AbortSignal },
): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (!mayBePlain && !url.startsWith('https:'))
      throw new ProviderFailure('lying', 'The provider names an address without TLS');
    const outcome =
      method === 'GET'
        ? await sender.get({ url, headers, signal })
        : await sender.post({ url, headers, signal, body: String(body ?? '') });
    if (outcome.kind === 'failed') throw failureOf(outcome, signal);
    const { status, contentType, body: text } = outcome;
    if (status >= 500) throw new ProviderFailure('unreachable', `The provider answers with status ${status}`);
    return new Response(WITHOUT_BODY.includes(status) ? null : text, {
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    });
  };
}

function failureOf(
  { reason, detail }: Extract<Outcome, { kind: 'failed' }>,
  { aborted }: AbortSignal,
): ProviderFailure {
  const isSlow = reason === 'timeout' || aborted;
  return new ProviderFailure(isSlow ? 'slow' : 'unreachable', detail);
}
