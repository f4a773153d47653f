import {
  type ListVariant,
  type OpenApiDocument,
  type Operation,
  readOperations,
  resolve,
  type Schema,
} from '@steward/sdk/generate';
import { COMMON_FLAGS } from '../operations/common-flags.ts';
import type {
  CommandParameter,
  CommandTable,
  ListVariantTrait,
  OperationCommand,
} from '../operations/operation-command.ts';
import { narrowColumns } from './columns.ts';
import { isDestructive } from './destructive.ts';
import { flagOf, kebab } from './names.ts';
import { isTime, isUserId } from './parameters.ts';
import { typeOf } from './types.ts';

const FILE = 'packages/cli/src/gen/commands.json';

/** The fields whose values never are arguments, because other processes of the machine can read those. */
const SECRETS = /^(?:new_)?password$|^(?:totp|recovery_code|mac|secret)$/;

/** What only a browser can carry out: it keeps a cookie between the steps, or asks an authenticator. */
const OF_BROWSERS: ReadonlySet<string> = new Set([
  'PasskeyService_AddPasskey',
  'PasskeyService_BeginPasskey',
  'PasskeyService_BeginPasskeySignIn',
  'PasskeyService_BeginPasskeyStepUp',
  'ProviderSignInService_CompleteConsoleSignIn',
  'ProviderSignInService_StartConsoleSignIn',
]);

/** Returns the generated file of the commands, as a pair of path and text. */
export function commandFiles(document: OpenApiDocument): readonly (readonly [path: string, text: string])[] {
  return [[FILE, `${JSON.stringify(commandTable(document), null, 1)}\n`]];
}

function commandTable(document: OpenApiDocument): CommandTable {
  const operations = readOperations(document).filter(({ operationId }) => !OF_BROWSERS.has(operationId));
  const groups = [...Map.groupBy(operations, ({ group }) => group)].map(([group, members]) => {
    const [first, ...others] = members;
    const tag = document.tags.find(({ name }) => name === first?.tag);
    const described = others.length === 0 ? first?.summary : tag?.description;
    return { name: kebab(group), description: firstSentence(described ?? '') };
  });
  return { groups, commands: operations.map((operation) => commandOf(operation, document)) };
}

function commandOf(operation: Operation, document: OpenApiDocument): OperationCommand {
  const { operationId, group, name, verb, path, summary, description, paging, answer, hasBody } = operation;
  const parameters = operation.parameters
    .filter((parameter) => !isPageSize(parameter.name, paging))
    .map((parameter) => parameterOf(parameter, document));
  const flags = parameters.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
  const twice = flags.find((flag, index) => flags.indexOf(flag) < index || COMMON_FLAGS.has(flag));
  if (twice !== undefined) throw new Error(`${operationId}: the flag --${twice} has two meanings`);
  const columns = columnsOf(answer, paging?.items, paging !== undefined, document);
  return {
    operationId,
    group: kebab(group),
    name: kebab(name),
    call: [group, name],
    method: verb,
    path,
    summary,
    description,
    parameters,
    hasBody,
    ...(answer === undefined && { bytes: true }),
    ...(operation.isKeyed && { keyed: true as const }),
    ...(operation.isPlanned && { planned: true as const }),
    ...(paging !== undefined && {
      list: {
        items: paging.items ?? '',
        ...(paging.cursor !== undefined && { cursor: paging.cursor }),
        ...(operation.parameters.some((parameter) => isPageSize(parameter.name, paging)) && { sized: true }),
        narrow: narrowColumns(operationId, columns, fieldsOfRows(answer, paging.items, document)),
        ...(paging.variants.length > 0 && {
          variants: paging.variants.map((variant) => variantOf(operation, variant, document)),
        }),
      },
    }),
    columns,
    ...(isDestructive(operation) && { destructive: true }),
  };
}

function variantOf(
  { operationId, answer }: Operation,
  { parameter, value, items }: ListVariant,
  document: OpenApiDocument,
): ListVariantTrait {
  const columns = columnsOf(answer, items, true, document);
  const narrow = narrowColumns(operationId, columns, fieldsOfRows(answer, items, document), value);
  return { parameter, value, items, columns, narrow };
}

/** The size of a page follows from how many rows the caller wants. */
function isPageSize(parameter: string, paging: Operation['paging']): boolean {
  return paging?.cursor !== undefined && parameter === 'limit';
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? '';
}

function parameterOf(
  { name, in: place, required, description, schema }: Operation['parameters'][number],
  document: OpenApiDocument,
): CommandParameter {
  const { type, list, nullable, choices } = typeOf(schema, document);
  const secret = SECRETS.test(name);
  return {
    name,
    ...(place !== 'path' && { flag: flagOf(name, place, secret) }),
    in: place,
    required,
    type,
    ...(list && { list: true }),
    ...(nullable && { nullable: true }),
    ...(choices !== undefined && { choices }),
    ...(secret && place !== 'path' && { secret: true }),
    ...(schema.format === 'binary' && { file: true }),
    ...(isTime(name, type) && { time: true }),
    ...(isUserId(name, description) && { user: true }),
    description,
  };
}

/** The fields with one value, in the order of the contract; of a list, those of its items. */
function columnsOf(
  answer: Schema | undefined,
  items: string | undefined,
  isList: boolean,
  document: OpenApiDocument,
): readonly string[] {
  if (answer === undefined) return [];
  const page = resolve(answer, document);
  const list = items === undefined ? page : page.properties?.[items];
  const shown = isList ? (list?.items === undefined ? {} : resolve(list.items, document)) : page;
  return Object.entries(shown.properties ?? {})
    .filter(([, schema]) => (isList ? isScalar(resolve(schema, document)) : true))
    .map(([name]) => name);
}

/** The fields of the rows of a list, also those with several values; undefined where the contract names none. */
function fieldsOfRows(
  answer: Schema | undefined,
  items: string | undefined,
  document: OpenApiDocument,
): readonly string[] | undefined {
  const page = answer && resolve(answer, document);
  const list = items === undefined ? page : page?.properties?.[items];
  const fields = list?.items && resolve(list.items, document).properties;
  return fields && Object.keys(fields);
}

function isScalar({ type }: Schema): boolean {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}
