import { ScimError } from './scim-error.ts';

/** Whether a header with entity tags names a version. They are compared weakly (RFC 9110, 13.1). */
export function names(header: string, version: string): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, '') === version.replace(/^W\//, ''));
}

/** @throws ScimError when the header If-Match names other versions than the present one */
export function requireMatch(header: string | undefined, version: string): void {
  if (header === undefined || names(header, version)) return;
  throw new ScimError(412, undefined, 'The resource was changed since the version that If-Match names');
}
