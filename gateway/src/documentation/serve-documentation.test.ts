import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import asyncApiSchema from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import fastify, { type FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { serveDocumentation } from './serve-documentation.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required: boolean }[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const ALL = '/_service/openapi.json';
const ADMIN = '/_service/docs/admin.json';
const CLIENT = '/_service/docs/client.json';

let app: FastifyInstance;
const documents = new Map<string, Document>();
beforeAll(async () => {
  app = fastify();
  serveDocumentation(app);
  for (const url of [ALL, ADMIN, CLIENT]) documents.set(url, (await app.inject(url)).json());
});

const documentAt = (url: string) => documents.get(url) as Document;
function patternsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

const pathsAt = (url: string) => Object.keys(documentAt(url).paths);
const operationsAt = (url: string) =>
  Object.values(documentAt(url).paths).flatMap((item) => Object.values(item));

describe.each([ALL, ADMIN, CLIENT])('the document %s', (url) => {
  it('the document is a valid OpenAPI document', { timeout: 60_000 }, async () => {
    const copy = JSON.parse(JSON.stringify(documentAt(url)));
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
  });

  it('has patterns that the regular expressions of all languages understand', () => {
    const patterns = new Set(patternsIn(documentAt(url)));
    expect(patterns.size).toBeGreaterThan(4);
    // Empty and negated empty classes, code points and properties, references, and groups other than plain ones.
    expect([...patterns].filter((pattern) => /\[\^?\]|\\[ukpPcb1-9]|\(\?[^:]/.test(pattern))).toEqual([]);
    for (const pattern of patterns)
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
  });

  it('has no two paths that differ in the names of their parameters only', () => {
    const shapes = pathsAt(url).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });

  it('describes each parameter of each path', () => {
    for (const [path, item] of Object.entries(documentAt(url).paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      for (const { operationId, parameters = [] } of Object.values(item)) {
        const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect([operationId, ...described.sort()]).toEqual([operationId, ...named]);
      }
    }
  });

  it('names the server that serves it', () => {
    expect(documentAt(url).servers).toMatchObject([{ url: '/' }]);
  });
});

describe('the page', () => {
  it('separates the operations of administrators from those of clients', () => {
    expect(pathsAt(ADMIN).filter((path) => !path.startsWith('/_service/admin/'))).toEqual([]);
    expect(pathsAt(CLIENT).filter((path) => path.startsWith('/_service/'))).toEqual([]);
    for (const url of [ADMIN, CLIENT]) {
      const used = new Set(operationsAt(url).flatMap(({ tags }) => tags));
      expect(new Set(documentAt(url).tags.map(({ name }) => name))).toEqual(used);
      expect(documentAt(url).info.title).toMatch(/^steward/);
    }
  });

  it('has every operation once, though clients may use several versions of its path', () => {
    const methods = (urls: readonly string[]) =>
      new Set(urls.flatMap(operationsAt).map(({ operationId }) => operationId.replace(/_\d+$/, '')));
    expect(methods([ADMIN, CLIENT])).toEqual(methods([ALL]));
    const paths = pathsAt(CLIENT);
    expect(paths).toContain('/_proto/client/v3/login');
    expect(paths).not.toContain('/_proto/client/r0/login');
    expect(pathsAt(ALL)).toContain('/_proto/client/r0/login');
  });

  it('fills required parameters into forms, and no optional ones', () => {
    for (const url of [ADMIN, CLIENT]) {
      const parameters = operationsAt(url).flatMap((operation) => operation.parameters ?? []);
      const filled = parameters.filter((parameter) => 'example' in parameter);
      expect(filled.length).toBeGreaterThan(0);
      expect(filled.filter(({ required }) => !required)).toEqual([]);
    }
  });

  it('the documentation page is titled steward, and loads its own files only', async () => {
    const page = await app.inject('/_service/docs');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.body).toContain('<title>steward</title>');
    const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(5);
    for (const file of files) {
      const { statusCode, headers } = await app.inject(file);
      expect({ file, statusCode, type: headers['content-type'] }).toEqual({
        file,
        statusCode: 200,
        type: expect.stringMatching(file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/),
      });
    }
    expect((await app.inject('/_service/docs/')).body).toBe(page.body);
    expect(await app.inject('/_service/docs/package.json')).toMatchObject({ statusCode: 404 });
  });

  it('the documentation page is available again after its document could not be read', async () => {
    const other = fastify();
    serveDocumentation(other);
    const reading = vi
      .spyOn(files, 'readFile')
      .mockRejectedValueOnce(new Error('EMFILE: too many open files'));
    syncBuiltinESMExports();
    expect(await other.inject(ADMIN)).toMatchObject({ statusCode: 500 });
    reading.mockRestore();
    syncBuiltinESMExports();
    expect(await other.inject(ADMIN)).toMatchObject({ statusCode: 200 });
  });
});

describe('the description of the events', () => {
  interface EventsDocument {
    readonly channels: object;
    readonly components: {
      readonly messages: Readonly<
        Record<string, { payload: { $ref: string }; examples: readonly { payload: object }[] }>
      >;
    };
  }
  /** Formats are annotations. The schema of AsyncAPI contains that of JSON Schema. */
  const ajv = () => new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const read = async () => (await app.inject('/_service/asyncapi.json')).json() as EventsDocument;

  it('the description of the events is a valid AsyncAPI document', { timeout: 60_000 }, async () => {
    const validate = ajv().compile(asyncApiSchema);
    validate(await read());
    expect(validate.errors).toBeNull();
  });

  it('has an example of each type, which its schema admits, and which that of another type does not', async () => {
    const described = await read();
    expect(Object.keys(described.channels)).toEqual(['stream', 'broker', 'webhooks']);
    const schemas = ajv().addSchema(described, 'events');
    const other = described.components.messages['account.created'];
    const entries = Object.entries(described.components.messages);
    expect(entries.length).toBeGreaterThan(60);
    for (const [type, { payload, examples }] of entries) {
      const validate = schemas.getSchema(`events${payload.$ref}`);
      expect(validate?.(examples[0]?.payload), type).toBe(true);
      if (type !== 'account.created') expect(validate?.(other?.examples[0]?.payload), type).toBe(false);
    }
  });
});
