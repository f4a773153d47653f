import { configSchema, type JsonSchema } from '@steward/config';
import { Document, isMap, isScalar } from 'yaml';
import { z } from 'zod';
import { observabilityFiles } from '../observability/source/files.ts';
import { values } from './values.ts';

/** The settings that are derived by the chart, besides those of services, of the engines, and about secrets. */
const OWNED = ['server.port', 'server.data', 'telemetry.metrics_port', 'bus.nats_url', 'bus.nats_user'];

/** The widest line of a comment. */
const COMMENT_WIDTH = 116;

/**
 * The generated files of the chart, by their paths in its folder: from the schema of its values, from the settings of the server,
 * and copies of alerts and dashboards, because a chart can read only what is in its folder.
 */
export function chartFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['values.yaml', valuesYaml()],
    ['values.schema.json', `${JSON.stringify(valuesSchema(), null, 2)}\n`],
    ['VALUES.md', valuesTable()],
    ...[...observabilityFiles()].map(([path, text]) => [`files/${path}`, text] as const),
  ]);
}

function valuesSchema(): JsonSchema {
  const schema = z.toJSONSchema(values, { io: 'input' }) as JsonSchema;
  const settings = configSchema(([section = '', ...keys], { secret }) => {
    const path = [section, ...keys].join('.');
    return !(
      ['services', 'store'].includes(section) ||
      secret ||
      path.endsWith('_file') ||
      OWNED.includes(path)
    );
  });
  const { description } = schema.properties?.settings ?? {};
  return {
    ...schema,
    // Helm adds `global`, which a chart that contains this one can set.
    properties: {
      ...schema.properties,
      settings: { ...withoutMeta(settings), description },
      global: { type: 'object' },
    },
  };
}

function withoutMeta({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function valuesYaml(): string {
  const document = new Document(values.parse({}));
  document.commentBefore =
    ' The default values, generated from deploy/helm/values.ts. Give a file with those that differ to helm.';
  comment(document.contents, z.toJSONSchema(values, { io: 'input' }) as JsonSchema, '');
  return document.toString({ lineWidth: 0 });
}

/** Writes the descriptions before the keys. */
function comment(node: unknown, schema: JsonSchema, indent: string): void {
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const child = schema.properties?.[String(key.value)];
    if (typeof child?.description === 'string')
      key.commentBefore = wrap(`${child.description}.`, COMMENT_WIDTH - indent.length);
    if (indent === '') key.spaceBefore = true;
    if (child !== undefined) comment(value, child, `${indent}  `);
  }
}

function wrap(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= width) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}

function valuesTable(): string {
  const schema = z.toJSONSchema(values, { io: 'input' }) as JsonSchema;
  const rows = rowsOf(schema, values.parse({}), []);
  return `# Values

Generated from \`deploy/helm/values.ts\`; change it, then run \`npm run generate\`. An unknown key is refused.

| Key | Default | Description |
|---|---|---|
${rows.join('\n')}
`;
}

function rowsOf(schema: JsonSchema, defaults: unknown, path: readonly string[]): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const value = (defaults as Readonly<Record<string, unknown>> | undefined)?.[key];
    const here = [...path, key];
    // Without defaults of its own: what it may contain is described once.
    const described = child.properties === undefined || Object.keys((value as object) ?? {}).length === 0;
    const text = typeof child.description === 'string' ? child.description.replaceAll('|', '\\|') : '';
    const row = `| \`${here.join('.')}\` | ${described ? `\`${JSON.stringify(value)}\`` : ''} | ${text} |`;
    return described ? [row] : [row, ...rowsOf(child, value, here)];
  });
}
