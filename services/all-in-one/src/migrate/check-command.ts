import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { ReferenceSettings } from '@steward/migrate';
import { say, sayResult } from '../command/say.ts';
import { checkHomeserver } from './check-homeserver.ts';
import { REFUSED } from './refused.ts';

/** The exit status of a check that has found what prevents a copy. */
const FAILED = 2;

/**
 * Checks whether the old homeserver of the settings can be copied.
 *
 * @param json whether the result is printed as JSON
 * @returns the exit status
 */
export async function checkCommand(
  config: Config,
  settings: ReferenceSettings,
  json: boolean,
): Promise<number> {
  const copy = join(tmpdir(), `steward-migrate-${process.pid}.sqlite`);
  const check = await checkHomeserver(config, settings, copy, say);
  const status = check.errors.length > 0 ? FAILED : check.refused > 0 ? REFUSED : 0;
  if (json) {
    process.stdout.write(`${JSON.stringify(check, null, 2)}\n`);
    return status;
  }
  sayResult(`${check.server_name}, schema ${check.schema_version}`);
  sayResult('Carried:');
  for (const { kind, table, rows } of check.carried)
    if (rows > 0) sayResult(`  ${rows} ${kind} from ${table}`);
  sayResult('Not carried:');
  for (const { table, rows, reason } of check.left_out)
    sayResult(`  ${rows} of ${table}: ${reason ?? 'unknown'}`);
  sayResult(
    `Space: about ${check.needed_bytes} bytes are needed, ${check.free_bytes} are free. Time: about ${check.forecast_seconds} s.`,
  );
  if (check.unread_settings.length > 0)
    sayResult(`Not read of the old configuration: ${check.unread_settings.join(', ')}`);
  sayResult('Settings that answer to those of the old homeserver:');
  for (const line of check.settings.trimEnd().split('\n')) sayResult(`  ${line}`);
  for (const warning of check.warnings) sayResult(`warning: ${warning}`);
  if (check.refused > 0) sayResult(`warning: ${check.refused} rows cannot be carried.`);
  for (const error of check.errors) sayResult(`error: ${error}`);
  return status;
}
