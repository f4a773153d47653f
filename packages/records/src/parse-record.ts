import { isObject, type JsonObject } from '@steward/kernel';

/** The strings and the punctuation of JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * Reads a record: a JSON object in which no key is repeated, because programs differ in which value they take.
 *
 * @throws Error when a line is not one; the message does not quote the line, which may contain secrets
 */
export function parseRecord(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('the line is not JSON');
  }
  if (!isObject(value)) throw new Error('the line is not a JSON object');
  // A text with a repeated key is longer than what is written of its value: most lines need no search.
  const repeated = JSON.stringify(value) === line ? undefined : repeatedKey(line);
  if (repeated !== undefined) throw new Error(`the key ${repeated} is repeated`);
  return value;
}

/** The first key that an object of the JSON text has twice. */
function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const keys = open.at(-1);
      const key = JSON.parse(last) as string;
      if (keys?.has(key)) return key;
      keys?.add(key);
    } else if (token !== ',') last = token;
  }
  return undefined;
}
