/**
 * How the client is generated from the OpenAPI document. Other generators, such as that of the command line, read the
 * operations from here, so that all use the same names.
 */
export { type OpenApiDocument, referenceOf, resolve, type Schema } from './openapi.ts';
export type { ListVariant, Paging } from './paging.ts';
export { ADMIN_PREFIX, type Operation, type OperationParameter, readOperations } from './read-operations.ts';
export { sdkFiles } from './sdk-files.ts';
