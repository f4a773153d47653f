import { plainAddress } from '@steward/rpc';

/** A node with an optional port, as both headers state it (RFC 7239, section 6): brackets are around IPv6 addresses. */
const NODE = /^(?:\[(?<bracketed>[^[\]]*)\]|(?<bare>[^[\]:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** A pair of an element of `Forwarded`, and what separates it from the next one: an element ends with a comma. */
const PAIR =
  /[ \t]*(?:(?<name>[^\s"(),;=]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^\s"(),;=]*))[ \t]*)?(?<end>[,;]|$)/y;

/**
 * The addresses of clients that proxies state, the nearest last; `undefined` for what is none: `unknown`, an obfuscated name,
 * rubbish. `Forwarded` counts only without `X-Forwarded-For`, because a proxy that sets the latter passes the former on as the
 * client sent it.
 */
export function forwardedFor(
  xForwardedFor: string | readonly string[] | undefined,
  forwarded: string | undefined,
): (string | undefined)[] {
  if (xForwardedFor !== undefined) {
    const nodes = String(xForwardedFor).split(',');
    return nodes.map((node) => node.trim()).flatMap((node) => (node === '' ? [] : [addressOf(node)]));
  }
  return forwarded === undefined ? [] : elementsOf(forwarded);
}

/** The addresses of the elements of `Forwarded`; one element that is none where the header does not read. */
function elementsOf(header: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let isEmpty = true;
  let node: string | undefined;
  PAIR.lastIndex = 0;
  for (;;) {
    const { name, quoted, token, end } = PAIR.exec(header)?.groups ?? {};
    if (end === undefined) return [undefined];
    if (name !== undefined) {
      isEmpty = false;
      if (name.toLowerCase() === 'for') node = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    }
    if (end === ';') continue;
    if (!isEmpty) found.push(addressOf(node ?? ''));
    if (end === '') return found;
    isEmpty = true;
    node = undefined;
  }
}

function addressOf(node: string): string | undefined {
  const whole = plainAddress(node);
  if (whole !== undefined) return whole;
  const { bracketed, bare } = NODE.exec(node)?.groups ?? {};
  return plainAddress(bracketed ?? bare ?? '');
}
