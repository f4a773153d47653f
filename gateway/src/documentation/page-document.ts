/** An operation of an OpenAPI document, as far as pages change it. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly required: boolean; readonly example?: unknown }[];
}

/** The OpenAPI document, as far as pages change it. */
export interface OpenApiDocument {
  readonly info: { readonly title: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The number of an additional path of a method, at the end of the operation's id. */
const NTH = /_\d+$/;

/** The segment of a path with the version of the API. */
const VERSION = /\/(?:r0|v\d+)\//;

/**
 * The document of a page for humans: the paths of one group, each operation once, although several versions of its path
 * may be served. A page fills examples into forms, so optional parameters have none.
 *
 * @param shows selects the paths of the group
 */
export function pageDocument(
  document: OpenApiDocument,
  title: string,
  shows: (path: string) => boolean,
): OpenApiDocument {
  const shown = new Set<string>();
  const tags = new Set<string>();
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    if (!shows(path)) return [];
    const operations = Object.entries(item).filter(([verb, { operationId }]) => {
      const id = `${operationId.replace(NTH, '')} ${verb} ${path.replace(VERSION, '/')}`;
      return shown.size < shown.add(id).size;
    });
    for (const [, operation] of operations) for (const tag of operation.tags) tags.add(tag);
    const entries = operations.map(([verb, operation]) => [verb, withoutSuggestions(operation)] as const);
    return entries.length === 0 ? [] : [[path, Object.fromEntries(entries)] as const];
  });
  return {
    ...document,
    info: { ...document.info, title },
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths: Object.fromEntries(paths),
  };
}

function withoutSuggestions(operation: Operation): Operation {
  const { parameters } = operation;
  if (!parameters) return operation;
  return {
    ...operation,
    parameters: parameters.map((parameter) => {
      const { example: _, ...rest } = parameter;
      return parameter.required ? parameter : rest;
    }),
  };
}
