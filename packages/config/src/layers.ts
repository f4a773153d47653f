/** Configuration as written: nested maps with values of any type. */
export interface Tree {
  [key: string]: unknown;
}

/** The configuration of one source. */
export interface Layer {
  /** The name of the source in problems: a file or an environment variable. */
  readonly source: string;
  readonly values: Tree;
}

/** The merged layers. */
export interface Merged {
  readonly values: Tree;
  /** The source of each value, by its keys joined with dots. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Whether a value is a map of keys to values, rather than a list or a scalar. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Merges layers, the last of which has precedence. Maps are merged, other values are replaced, and null removes
 * the value of the layers below (RFC 7396).
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const values: Tree = {};
  const sources = new Map<string, string>();
  for (const layer of layers) lay(layer.values, values, layer.source, [], sources);
  return { values, sources };
}

function lay(
  from: Tree,
  onto: Tree,
  source: string,
  path: readonly string[],
  sources: Map<string, string>,
): void {
  for (const [key, value] of Object.entries(from)) {
    const here = [...path, key];
    sources.set(here.join('.'), source);
    if (value === null) {
      delete onto[key];
    } else if (isTree(value)) {
      const below = onto[key];
      const map = isTree(below) ? below : {};
      onto[key] = map;
      lay(value, map, source, here, sources);
    } else {
      onto[key] = value;
    }
  }
}
