import { createHash } from 'node:crypto';

const VERSION_LENGTH = 22;

/** The version of a resource: a digest of what it shows. */
export function versionOf(content: object): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return `W/"${digest.slice(0, VERSION_LENGTH)}"`;
}
