import { StartupError } from '@steward/rpc';

/** One part of a path between two slashes: a literal, or a variable that matches any text. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

const LITERAL = /^[A-Za-z0-9._~-]+$/;
const VARIABLE = /^\{([a-z][a-z0-9_]*)\}$/;

/**
 * Parses a path template. Of the grammar of `google.api.http` it supports literals and variables of one whole
 * segment; in addition, a path may end with a slash and then differs from the path without it.
 *
 * @throws StartupError for any other template
 */
export function parseTemplate(path: string): readonly Segment[] {
  if (!path.startsWith('/')) throw new StartupError(`the path '${path}' does not begin with a slash`);
  const names = new Set<string>();
  return path
    .slice(1)
    .split('/')
    .map((part, index, parts) => {
      const name = VARIABLE.exec(part)?.[1];
      if (name === undefined) {
        const endsPath = part === '' && index > 0 && index === parts.length - 1;
        if (!LITERAL.test(part) && !endsPath)
          throw new StartupError(`the path '${path}' has the segment '${part}'`);
        return { kind: 'literal', text: part };
      }
      if (names.has(name)) throw new StartupError(`the path '${path}' has the variable '${name}' twice`);
      names.add(name);
      return { kind: 'variable', name };
    });
}

/** The shape of a template; two templates that match the same requests have the same one. */
export function shapeOfPath(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === 'literal' ? `/${segment.text}` : '/{}')).join('');
}
