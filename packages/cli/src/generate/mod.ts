/** How the commands of `stewardctl` are generated from the OpenAPI document. */
export { commandFiles } from './command-files.ts';
