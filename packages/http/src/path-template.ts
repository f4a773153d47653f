import { StartupError } from '@steward/rpc';

/** One part of a path between two slashes: text that must stand there, or a variable that takes what does. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

const LITERAL = /^[A-Za-z0-9._~-]+$/;
const VARIABLE = /^\{([a-z][a-z0-9_]*)\}$/;

/**
 * Takes a path template apart. Of the grammar of `google.api.http` only literals and variables of one
 * whole segment are known; beyond it, a path may end with a slash, which tells it from the one without.
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

/** What two templates have in common when no request can tell them apart. */
export function shapeOfPath(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === 'literal' ? `/${segment.text}` : '/{}')).join('');
}
