import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';
import { coerce } from './coerce.ts';
import { ConfigError } from './config-error.ts';
import { findContradictions } from './contradictions.ts';
import { describeIssue, explain } from './describe-issue.ts';
import {
  type Environment,
  FILE_VARIABLE,
  findUnknownVariables,
  OVERRIDES_VARIABLE,
  readEnvironment,
} from './environment.ts';
import { isTree, type Layer, mergeLayers, type Tree } from './layers.ts';
import { schema } from './schema.ts';

const SQLITE = 'sqlite';

type Parsed = z.output<typeof schema>;

/** The configuration of the whole server. Keys are those of the configuration file. */
export interface Config extends Omit<Parsed, 'registration' | 'services' | 'telemetry'> {
  /** Registration; includes the shared secret, from a value or a file. */
  readonly registration: Omit<Parsed['registration'], 'shared_secret_file'>;
  /** How the processes reach each other; includes the credential, from a value or a file. */
  readonly services: Omit<Parsed['services'], 'credential_file'>;
  /** Metrics and traces; includes the token and the headers for them, from a value or a file. */
  readonly telemetry: Omit<Parsed['telemetry'], 'metrics_token_file' | 'traces'> & {
    readonly traces: Omit<Parsed['telemetry']['traces'], 'headers_file'>;
  };
}

/** A loaded configuration. */
export interface LoadedConfig extends Config {
  /** Probable mistakes that are not errors, one line each. */
  readonly warnings: readonly string[];
}

/** The sources of the configuration. */
export interface ConfigSources {
  /** The environment of the process. */
  readonly env: Environment;
  /** Reads a file as text, or throws. Reads from the file system by default. */
  readonly readFile?: (path: string) => string;
}

/**
 * Loads the configuration from, in ascending precedence: the defaults, the YAML file that `STEWARD_CONFIG` names,
 * the JSON in `STEWARD_CONFIG_OVERRIDES`, and the other `STEWARD_*` variables.
 *
 * @throws {ConfigError} with all problems
 */
export function loadConfig({
  env,
  readFile = (path) => readFileSync(path, 'utf8'),
}: ConfigSources): LoadedConfig {
  const problems: string[] = [];
  const layers = [
    ...readYaml(env, readFile, problems),
    ...readOverrides(env, problems),
    ...readEnvironment(env),
  ];
  const merged = mergeLayers(layers);
  coerce(merged.values);
  const { media, store } = merged.values;
  for (const secret of SECRETS) resolveSecret(merged.values, secret, readFile, problems);
  if (isTree(media)) problems.push(...problemsOfMedia(media, store));
  const result = schema.safeParse(merged.values, { error: explain });
  problems.push(...(result.error?.issues ?? []).flatMap((issue) => describeIssue(issue, merged)));
  if (result.success) problems.push(...findContradictions(result.data));
  const { server, telemetry } = result.data ?? {};
  if (result.data && isSamePlace(result.data.media)) {
    problems.push('media.second_store: must not be the place of media.store');
  }
  if (server?.port !== undefined && server.port === telemetry?.metrics_port) {
    problems.push(
      'telemetry.metrics_port (STEWARD_METRICS_PORT): must differ from server.port (STEWARD_PORT)',
    );
  }
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return { ...result.data, warnings: findUnknownVariables(env) };
}

/** Whether both stores of media are the same one. */
function isSamePlace({ store, s3, second_store, second_s3 }: Config['media']): boolean {
  if (store !== second_store) return false;
  return (
    store !== 's3' ||
    (s3.bucket === second_s3.bucket && s3.endpoint === second_s3.endpoint && s3.prefix === second_s3.prefix)
  );
}

/** Stores of media that the other settings do not allow. */
function problemsOfMedia(media: Tree, store: unknown): string[] {
  const problems: string[] = [];
  for (const [place, bucket, variable] of [
    ['store', 's3', 'STEWARD_S3_BUCKET'],
    ['second_store', 'second_s3', 'STEWARD_SECOND_S3_BUCKET'],
  ] as const) {
    const { [place]: kind, [bucket]: s3 } = media;
    if (kind === 'gridfs' && (!isTree(store) || (store.url ?? SQLITE) === SQLITE)) {
      problems.push(`media.${place}: gridfs needs a mongodb:// URL in store.url`);
    }
    if (kind === 's3' && (!isTree(s3) || !s3.bucket)) {
      problems.push(`media.${place}: s3 needs a bucket in media.${bucket}.bucket (${variable})`);
    }
  }
  return problems;
}

type ReadFile = (path: string) => string;

function readYaml(env: Environment, readFile: ReadFile, problems: string[]): Layer[] {
  const path = env[FILE_VARIABLE];
  if (!path) return [];
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    problems.push(`${FILE_VARIABLE}: ${path} cannot be read (${reason(error)})`);
    return [];
  }
  let values: unknown;
  try {
    values = parse(text, { logLevel: 'error' }) ?? {};
  } catch (error) {
    problems.push(`${path}: ${reason(error)}`);
    return [];
  }
  if (isTree(values)) return [{ source: path, values }];
  problems.push(`${path}: must hold a map of sections`);
  return [];
}

function readOverrides(env: Environment, problems: string[]): Layer[] {
  const text = env[OVERRIDES_VARIABLE];
  if (!text) return [];
  try {
    const values: unknown = JSON.parse(text);
    if (isTree(values)) return [{ source: OVERRIDES_VARIABLE, values }];
    problems.push(`${OVERRIDES_VARIABLE}: must be a JSON object of sections`);
  } catch {
    // The parser's message quotes the text, which may contain the secret.
    problems.push(`${OVERRIDES_VARIABLE}: is not valid JSON`);
  }
  return [];
}

/** The settings that may come from a separate file, which the key with the suffix `_file` names. */
const SECRETS = [
  { section: ['registration'], key: 'shared_secret' },
  { section: ['services'], key: 'credential' },
  { section: ['telemetry'], key: 'metrics_token' },
  { section: ['telemetry', 'traces'], key: 'headers' },
] as const;

type Secret = (typeof SECRETS)[number];

/** Replaces the path of a secret's file by the secret. */
function resolveSecret(values: Tree, { section, key }: Secret, readFile: ReadFile, problems: string[]): void {
  const settings = section.reduce<unknown>((at, part) => (isTree(at) ? at[part] : undefined), values);
  if (!isTree(settings)) return;
  const name = [...section, key].join('.');
  const { [key]: value, [`${key}_file`]: path } = settings;
  delete settings[`${key}_file`];
  if (path === undefined) return;
  if (value !== undefined) {
    problems.push(`${name}: is set together with ${name}_file; set one of them`);
  } else if (typeof path !== 'string') {
    problems.push(`${name}_file: must be text`);
  } else {
    settings[key] = readSecret(`${name}_file`, path, readFile, problems);
  }
}

function readSecret(name: string, path: string, readFile: ReadFile, problems: string[]): string {
  let text = '';
  try {
    text = readFile(path).trimEnd();
    if (text === '') problems.push(`${name}: ${path} is empty`);
  } catch (error) {
    problems.push(`${name}: ${path} cannot be read (${reason(error)})`);
  }
  return text;
}

function reason(error: unknown): string {
  return firstLine(error instanceof Error ? error.message : String(error));
}

/** The messages of the parsers continue with an excerpt, which may contain a secret. */
function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replace(/:$/, '');
}
