import { z } from 'zod';
import { listSettings, type PlacedSetting, unwrap } from './list-settings.ts';
import { schema } from './schema.ts';

const INTRODUCTION = `# Configuration

Generated from the schemas of \`packages/config\`; change them, then run \`npm run generate\`.

Settings come from four sources; each overrides those before it:

1. the defaults below;
2. the YAML file named by \`STEWARD_CONFIG\`;
3. the JSON object in \`STEWARD_CONFIG_OVERRIDES\`, with the same keys as the file. Maps are merged, other values are
   replaced, and \`null\` removes a value of the file;
4. the environment variables below. An empty variable counts as not set.

Flags are \`true\` or \`false\`; \`on\`, \`off\`, \`1\` and \`0\` are accepted as well. In a variable, commas separate the items
of a list. The server does not start with an unknown key in the file or the overrides; it only warns about an unknown
environment variable that starts with \`STEWARD_\`.

\`\`\`yaml
server:
  name: example.org
  public_baseurl: https://chat.example.org
registration:
  shared_secret_file: /run/secrets/registration
\`\`\`
`;

/** The reference of all settings in Markdown: key, type, default, environment variable and description. */
export function configReference(): string {
  const placed = listSettings();
  const sections = Object.entries(schema.shape).map(([section]) => {
    const rows = placed.filter(({ path }) => path[0] === section).map(row);
    const header = ['| Key | Type | Default | Variable | Governs |', '|---|---|---|---|---|'];
    return [`## ${section}`, '', ...header, ...rows, ''].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function row({ path, schema: field, env, governs = '' }: PlacedSetting): string {
  const cells = [`\`${path.join('.')}\``, typeOf(field), defaultOf(field), env ? `\`${env}\`` : '', governs];
  return `| ${cells.join(' | ')} |`;
}

function typeOf(field: z.ZodType): string {
  const inner = unwrap(field);
  if (inner instanceof z.ZodBoolean) return 'flag';
  if (inner instanceof z.ZodArray) {
    return inner.element instanceof z.ZodObject ? 'list of objects' : 'list of texts';
  }
  if (inner instanceof z.ZodRecord) return 'map';
  if (inner instanceof z.ZodEnum) return inner.options.map((option) => `\`${option}\``).join(', ');
  if (!(inner instanceof z.ZodNumber)) return 'text';
  const { type, minimum, maximum = Number.MAX_SAFE_INTEGER, exclusiveMinimum } = z.toJSONSchema(inner);
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (exclusiveMinimum !== undefined) return `${kind} above ${exclusiveMinimum}`;
  return maximum < Number.MAX_SAFE_INTEGER ? `${kind}, ${minimum} to ${maximum}` : `${kind} from ${minimum}`;
}

function defaultOf(field: z.ZodType): string {
  if (!(field instanceof z.ZodDefault) || unwrap(field) instanceof z.ZodRecord) return 'none';
  const value: unknown = field.def.defaultValue;
  return `\`${Array.isArray(value) ? value.join(', ') : String(value)}\``;
}
