import { isIP } from 'node:net';
import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';

/** Where passkeys of the server work. */
export interface RelyingParty {
  /** The host, which browsers bind passkeys to. */
  readonly id: string;
  /** The origin of the pages that may use them. */
  readonly origin: string;
}

/** Where passkeys work; undefined where there are none: without a configured address, or where its host has no name. */
export function relyingPartyOf({ settings }: Pick<Deps, 'settings'>): RelyingParty | undefined {
  const url = URL.parse(settings.publicBaseUrl ?? '');
  if (!url || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return { id: url.hostname, origin: url.origin };
}

/** @throws refuse.unknown where there are no passkeys */
export function requireRelyingParty(deps: Pick<Deps, 'settings'>): RelyingParty {
  const party = relyingPartyOf(deps);
  if (!party) throw refuse.unknown('Passkeys need server.public_baseurl with the name of a host');
  return party;
}
