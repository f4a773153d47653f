/** The flags of every command; a parameter of an operation never has one of these names. */
export const COMMON_FLAGS: ReadonlySet<string> = new Set([
  'all',
  'body',
  'color',
  'columns',
  'context',
  'dry-run',
  'help',
  'jq',
  'output',
  'reason',
  'server',
  'verbose',
  'version',
  'wait',
  'where',
  'yes',
]);
