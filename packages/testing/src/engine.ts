/** The external engines that tests may need, and the variable that locates each. */
const ENGINES = {
  mongo: { variable: 'MONGODB_URL', title: 'MongoDB' },
  nats: { variable: 'NATS_URL', title: 'NATS' },
  s3: { variable: 'S3_URL', title: 'S3' },
} as const;

/** The other programs that tests may need, and the variable that locates each. */
const TOOLS = {
  synadm: { variable: 'SYNADM', title: 'synadm' },
  schemathesis: { variable: 'SCHEMATHESIS', title: 'Schemathesis' },
  nats_server: { variable: 'NATS_SERVER', title: 'nats-server' },
  ferretdb: { variable: 'FERRETDB', title: 'FerretDB' },
  helm: { variable: 'HELM', title: 'helm' },
  kubernetes_validate: { variable: 'KUBERNETES_VALIDATE', title: 'kubernetes-validate' },
  openapi_spec_validator: { variable: 'OPENAPI_SPEC_VALIDATOR', title: 'openapi-spec-validator' },
  openapi_python_client: { variable: 'OPENAPI_PYTHON_CLIENT', title: 'openapi-python-client' },
  oapi_codegen: { variable: 'OAPI_CODEGEN', title: 'oapi-codegen' },
  promtool: { variable: 'PROMTOOL', title: 'promtool' },
  example_python: { variable: 'EXAMPLE_PYTHON', title: 'the example in Python' },
  example_go: { variable: 'EXAMPLE_GO', title: 'the example in Go' },
  nio_python: { variable: 'NIO_PYTHON', title: 'matrix-nio' },
  mautrix_client: { variable: 'MAUTRIX_CLIENT', title: 'mautrix-go' },
  scim_python: { variable: 'SCIM_PYTHON', title: 'scim2-tester' },
  chromium: { variable: 'CHROMIUM', title: 'Chromium' },
  tmux: { variable: 'TMUX_PROGRAM', title: 'tmux' },
  zsh: { variable: 'ZSH_PROGRAM', title: 'zsh' },
  fish: { variable: 'FISH_PROGRAM', title: 'fish' },
  reference: { variable: 'REFERENCE_PYTHON', title: 'a Python with matrix-synapse' },
  nodes: { variable: 'OLD_NODES', title: 'older versions of Node.js' },
} as const;

/** Names, separated by commas, of the engines and programs without which tests must fail. */
const REQUIRED_VARIABLE = 'STEWARD_REQUIRE';

type Environment = Readonly<Record<string, string | undefined>>;

/** An engine that tests may need. */
export type EngineName = keyof typeof ENGINES;

/** A program that tests may need. */
export type ToolName = keyof typeof TOOLS;

/** Whether an engine can be used, and where. */
export interface Engine {
  /** Its URL; `undefined` when the environment has none. */
  readonly url: string | undefined;
  /** For the title of its tests: the engine's name and, when it is missing, the variable to set. */
  readonly title: string;
}

/**
 * Looks for an engine in the environment. When it is missing, its tests are skipped and the report says so:
 *
 * ```ts
 * const mongo = requireEngine('mongo');
 * describe.skipIf(mongo.url === undefined)(mongo.title, () => { ... });
 * ```
 *
 * @throws Error when `STEWARD_REQUIRE` names an engine that is missing
 */
export function requireEngine(name: EngineName, env: Environment = process.env): Engine {
  const { value, title } = look(name, ENGINES[name], env);
  return { url: value, title };
}

/** Whether a program can be used, and how it is called. */
export interface Tool {
  /** The path of its command, or several, separated by colons; `undefined` when the environment has none. */
  readonly command: string | undefined;
  /** For the title of its tests: the program's name and, when it is missing, the variable to set. */
  readonly title: string;
}

/**
 * Looks for a program in the environment, as `requireEngine` does for an engine.
 *
 * @throws Error when `STEWARD_REQUIRE` names a program that is missing
 */
export function requireTool(name: ToolName, env: Environment = process.env): Tool {
  const { value, title } = look(name, TOOLS[name], env);
  return { command: value, title };
}

function look(
  name: string,
  { variable, title }: { readonly variable: string; readonly title: string },
  env: Environment,
): { readonly value: string | undefined; readonly title: string } {
  const value = env[variable];
  if (value) return { value, title };
  const required = (env[REQUIRED_VARIABLE] ?? '').split(',').map((item) => item.trim());
  if (required.includes(name)) {
    throw new Error(`${REQUIRED_VARIABLE} asks for ${title}, but ${variable} is not set`);
  }
  return { value: undefined, title: `${title} (${variable} is not set)` };
}
