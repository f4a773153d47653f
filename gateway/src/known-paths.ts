import { refuse } from '@steward/errors';
import type { Binding, Verb } from '@steward/http';
import findMyWay from 'find-my-way';

/** The bindings of a path, by their verbs. */
export type BindingsOfPath = ReadonlyMap<Verb, Binding>;

/** The verb under which all paths are known here, which says nothing about the verbs that they support. */
const ANY = 'GET';

/** The placeholder of a segment of a path that may be a secret. */
const HIDDEN = '*';

/**
 * All paths that some method has, for requests without a route. Every verb that a method has gets a route for each path, so that
 * an unsupported one is refused where the path of another method would match; for all other verbs of HTTP, which
 * are thirty, routes would take as much memory as the rest of the gateway.
 */
export class KnownPaths {
  readonly #router: findMyWay.Instance<findMyWay.HTTPVersion.V1>;
  readonly #segments = new Set<string>();

  /** @param options those of the router of the gateway */
  constructor(options: { readonly maxParamLength: number }) {
    this.#router = findMyWay(options);
  }

  /**
   * Adds a path with parameters in the form of routes.
   *
   * @param bindings what serves it, where methods do
   */
  add(path: string, bindings: BindingsOfPath = new Map()): void {
    this.#router.on(ANY, path, () => {}, bindings);
    for (const segment of path.split('/')) if (!segment.startsWith(':')) this.#segments.add(segment);
  }

  /**
   * The path of a URL without a route, for logs: it may contain a secret where the path of a method has one, so only those of its
   * segments are shown that are the same in the path of some method.
   */
  shownPath(url: string): string {
    const [path = ''] = url.split(/[?#]/, 1);
    return path
      .split('/')
      .map((segment) => (this.#segments.has(segment) ? segment : HIDDEN))
      .join('/');
  }

  /** The bindings of the path of a URL, and the segments that its parameters capture, in their order; undefined for an unknown path. */
  find(url: string): { readonly bindings: BindingsOfPath; readonly segments: readonly string[] } | undefined {
    const found = this.#router.find(ANY, url);
    if (!found) return undefined;
    const segments = Object.values(found.params).filter((segment) => segment !== undefined);
    return { bindings: found.store as BindingsOfPath, segments };
  }

  /** The refusal of a request without a route: 405 if it has a known path, else 404. */
  refusalOf(url: string): Error {
    const refusal = this.#router.find(ANY, url) ? unknownVerb() : unknownPath();
    return refusal as Error;
  }
}

/** The refusal of a path that no method has. */
export function unknownPath(): unknown {
  return refuse.unrecognized('Unrecognized request');
}

/** The refusal of a verb that no method with the path has. */
export function unknownVerb(): unknown {
  return refuse.methodNotAllowed('Method not allowed');
}
