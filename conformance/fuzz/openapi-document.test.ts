import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requireTool } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const validator = requireTool('openapi_spec_validator');
const pythonGenerator = requireTool('openapi_python_client');
const goGenerator = requireTool('oapi_codegen');
const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** How long each program may take, in milliseconds: 10 s of processor time, of which a busy machine gives little. */
const LIMIT_MS = 600_000;

/** Without this, the generator knows no types of media but JSON, text and these bytes, and runs another program on its output. */
const GENERATOR_CONFIG = {
  content_type_overrides: Object.fromEntries(
    ['*/*', 'application/x-ndjson', 'image/jpeg', 'image/png'].map((type) => [
      type,
      'application/octet-stream',
    ]),
  ),
  post_hooks: [],
};

describe('The OpenAPI document', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'steward-openapi-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.skipIf(validator.command === undefined)(
    `is valid for ${validator.title}`,
    { timeout: LIMIT_MS },
    async () => {
      const { stdout } = await run(validator.command ?? '', [DOCUMENT]);
      expect(stdout).toBe(`${DOCUMENT}: OK\n`);
    },
  );

  it.skipIf(pythonGenerator.command === undefined)(
    `has every operation in the client of ${pythonGenerator.title}`,
    { timeout: LIMIT_MS },
    async () => {
      const config = join(directory, 'config.json');
      await writeFile(config, JSON.stringify(GENERATOR_CONFIG));
      const client = join(directory, 'client');
      await run(pythonGenerator.command ?? '', [
        ...['generate', '--path', DOCUMENT, '--config', config, '--fail-on-warning'],
        ...['--meta', 'none', '--output-path', client],
      ]);
      const files = await readdir(join(client, 'api'), { recursive: true });
      const modules = files.filter((file) => /\/(?!__init__)\w+\.py$/.test(file));
      expect(modules).toHaveLength(await countOperations());
    },
  );

  it.skipIf(goGenerator.command === undefined)(
    `has every operation in the client of ${goGenerator.title}`,
    { timeout: LIMIT_MS },
    async () => {
      const client = join(directory, 'client.go');
      const options = ['-generate', 'types,client', '-package', 'steward', '-o', client];
      await run(goGenerator.command ?? '', [...options, DOCUMENT]);
      const parsers = (await readFile(client, 'utf8')).match(/^func Parse\w+Response\(/gm);
      expect(parsers).toHaveLength(await countOperations());
    },
  );
});

async function countOperations(): Promise<number> {
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  ).length;
}
