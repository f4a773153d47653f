import { isIP, isIPv6 } from 'node:net';
import { type JsonObject, matchesGlob, own, stringsOf } from '@steward/kernel';

/** Whether the content of an `m.room.server_acl` event allows a server; a server that no pattern allows is denied. */
export function isServerAllowed(serverName: string, content: JsonObject): boolean {
  const host = hostOf(serverName).toLowerCase();
  if (own(content, 'allow_ip_literals') === false && isIpLiteral(host)) return false;
  const matches = (pattern: string) => matchesGlob(pattern.toLowerCase(), host, { questionMarks: true });
  if (stringsOf(own(content, 'deny')).some(matches)) return false;
  return stringsOf(own(content, 'allow')).some(matches);
}

/** A server name without its port. */
function hostOf(serverName: string): string {
  return serverName.replace(/:[0-9]+$/, '');
}

function isIpLiteral(host: string): boolean {
  return isIP(host) !== 0 || (host.startsWith('[') && isIPv6(host.slice(1, -1)));
}
