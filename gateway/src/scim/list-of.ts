const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** The results of a list (RFC 7644, 3.4.2). */
export interface ListResponse {
  readonly schemas: readonly string[];
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly object[];
}

/** Answers with a page of resources. */
export function listOf(
  resources: readonly object[],
  totalResults = resources.length,
  startIndex = 1,
): ListResponse {
  return {
    schemas: [LIST_SCHEMA],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
