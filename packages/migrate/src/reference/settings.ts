import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isObject, type JsonObject } from '@steward/kernel';
import { parse } from 'yaml';
import { z } from 'zod';

const MEDIA_FOLDER = 'media_store';

const settings = z.object({
  server_name: z.string().min(1),
  database: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  databases: z.unknown().optional(),
  media_store_path: z.string().nullish(),
  media_storage_providers: z.array(z.looseObject({ module: z.string().optional() })).nullish(),
  pid_file: z.string().nullish(),
  password_config: z
    .object({
      pepper: z.string().nullish(),
      enabled: z.union([z.boolean(), z.string()]).nullish(),
      localdb_enabled: z.boolean().nullish(),
      policy: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  registration_shared_secret: z.string().nullish(),
  enable_registration: z.boolean().nullish(),
  registration_requires_token: z.boolean().nullish(),
  auto_join_rooms: z.array(z.string()).nullish(),
  server_notices: z
    .object({
      system_mxid_localpart: z.string(),
      system_mxid_display_name: z.string().nullish(),
      room_name: z.string().nullish(),
    })
    .nullish(),
  oidc_providers: z.array(z.unknown()).nullish(),
  max_upload_size: z.union([z.string(), z.number()]).nullish(),
  public_baseurl: z.string().nullish(),
  app_service_config_files: z.array(z.string()).nullish(),
});

/** What the configuration of the old homeserver says. */
export interface ReferenceSettings {
  readonly files: readonly string[];
  readonly serverName: string;
  readonly database:
    | { readonly engine: 'sqlite'; readonly path: string }
    | { readonly engine: 'postgres'; readonly args: JsonObject };
  readonly mediaFolder: string;
  /** The names of other stores than the folder in which files of media may be. */
  readonly mediaProviders: readonly string[];
  readonly pidFile: string | undefined;
  /** Empty for none. */
  readonly pepper: string;
  readonly all: z.infer<typeof settings>;
  /** The keys of the configuration that are not read. */
  readonly unread: readonly string[];
}

/**
 * Reads the configuration of the old homeserver, of which later files override earlier ones.
 *
 * @throws Error with a message of one line when there is none, or it does not say what is needed
 */
export function readSettings(files: readonly string[]): ReferenceSettings {
  const [firstFile] = files;
  if (firstFile === undefined) throw new Error('Name the configuration of the old homeserver with --from.');
  const merged = Object.assign({}, ...files.map(readYaml)) as JsonObject;
  const { data, error } = settings.safeParse(merged);
  if (error) {
    const [issue] = error.issues;
    throw new Error(`${files.join(', ')}: ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  if (data.databases !== undefined)
    throw new Error(
      `${firstFile}: databases: the tables lie in several databases; merge them into one first.`,
    );
  // Relative paths are those of the working directory of the homeserver, which is usually that of its configuration.
  const at = (path: string) => (isAbsolute(path) ? path : resolve(dirname(firstFile), path));
  const args = data.database?.args ?? {};
  const engine = data.database?.name;
  if (engine !== 'sqlite3' && engine !== 'psycopg2')
    throw new Error(
      `${files.join(', ')}: database.name is ${engine ?? 'missing'}; it must be psycopg2 or sqlite3.`,
    );
  if (engine === 'sqlite3' && typeof args.database !== 'string')
    throw new Error(`${files.join(', ')}: database.args.database is missing.`);
  return {
    files,
    serverName: data.server_name,
    database:
      engine === 'sqlite3'
        ? { engine: 'sqlite', path: at(String(args.database)) }
        : { engine: 'postgres', args },
    mediaFolder: at(data.media_store_path ?? MEDIA_FOLDER),
    mediaProviders: (data.media_storage_providers ?? []).map(({ module }) => module ?? 'unnamed'),
    pidFile: data.pid_file ? at(data.pid_file) : undefined,
    pepper: data.password_config?.pepper ?? '',
    all: data,
    unread: unreadKeys(merged, data, ''),
  };
}

/** The keys of an object that another one, which has what is read of it, does not have. */
function unreadKeys(given: JsonObject, read: JsonObject, parent: string): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const known = read[key];
    if (known === undefined) return [`${parent}${key}`];
    return isObject(value) && isObject(known) ? unreadKeys(value, known, `${parent}${key}.`) : [];
  });
}

function readYaml(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new Error(`${file} is not YAML: ${line}.`, { cause: error });
  }
  if (!isObject(value)) throw new Error(`${file} is not the configuration of a homeserver: it has no keys.`);
  return value;
}
