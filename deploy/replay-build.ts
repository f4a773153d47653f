import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type Healthcheck,
  type Instruction,
  type JSONInstruction,
  type ModifiableInstruction,
} from 'dockerfile-ast';
import { listBuildContext } from './build-context.ts';

/** How long one RUN may take, in milliseconds. */
const RUN_TIMEOUT_MS = 150_000;

/** What a package manager says that must not use the network and would have to. */
const NOT_AT_HAND = /ENOTCACHED|ERR_PNPM_NO_OFFLINE_\w+/;

/** An image as far as a replay makes one: the files of its last stage, and how it is to be run. */
export interface ReplayedImage {
  /** The folder that stands for `/`; the paths below are those within it. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/** The packages that a build installs are not all on this machine. */
export class PackagesMissing extends Error {
  constructor(output: string) {
    super(`the packages are not all at hand: ${NOT_AT_HAND.exec(output)?.[0]}`);
    this.name = 'PackagesMissing';
  }
}

/** A stage, as far as its steps have been replayed. */
type Stage = { -readonly [Key in keyof ReplayedImage]: ReplayedImage[Key] } & { readonly name: string };

/**
 * Replays the steps of a Dockerfile in a folder, without a container engine: the same files, by the same
 * commands, read from the Dockerfile itself. A base image is an empty folder, the commands are those of
 * this machine, and no command may use the network. Commands must name files by relative paths.
 *
 * @throws {PackagesMissing} when a command would need the network
 * @throws Error when a command fails, or the Dockerfile says something that a replay cannot do
 */
export async function replayBuild(options: {
  readonly dockerfile: string;
  /** The folder that the build copies from. */
  readonly context: string;
  /** An empty folder. */
  readonly scratch: string;
  /** The environment of the commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<ReplayedImage> {
  const { context, scratch, env } = options;
  const stages: Stage[] = [];
  for (const instruction of parse(options.dockerfile)) {
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (keyword === 'FROM') {
      stages.push(emptyStage(words[2] ?? String(stages.length), scratch));
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${keyword} stands before FROM`);
    switch (keyword) {
      case 'WORKDIR':
        stage.workdir = resolve(stage.workdir, words[0] ?? '');
        mkdirSync(inside(stage.root, stage.workdir), { recursive: true });
        break;
      case 'COPY': {
        const from = (instruction as Copy).getFromFlag()?.getValue();
        const source = stages.find(({ name }) => name === from);
        if (typeof from === 'string' && source === undefined) throw new Error(`There is no stage ${from}`);
        copy(source?.root ?? context, words, stage, source === undefined);
        break;
      }
      case 'RUN':
        refuseFlags(instruction as ModifiableInstruction);
        await run(instruction.getArgumentsContent() ?? '', inside(stage.root, stage.workdir), env);
        break;
      case 'ENV':
        stage.env = { ...stage.env, ...properties(instruction as Env) };
        break;
      case 'USER':
        stage.user = words[0] ?? '';
        break;
      case 'ENTRYPOINT':
        stage.entrypoint = strings(instruction as JSONInstruction);
        break;
      case 'CMD':
        stage.command = strings(instruction as JSONInstruction);
        break;
      case 'HEALTHCHECK':
        stage.healthcheck = healthcheck(instruction as Healthcheck);
        break;
      case 'LABEL':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`A replay does not know ${keyword}`);
    }
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no FROM');
  return last;
}

/** Where a path within an image is on this machine. */
export function inside(root: string, path: string): string {
  return join(root, path);
}

function parse(dockerfile: string): Instruction[] {
  return DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions();
}

function emptyStage(name: string, scratch: string): Stage {
  const root = join(scratch, name);
  mkdirSync(root);
  return { name, root, workdir: '/', env: {}, user: '', entrypoint: [], command: [], healthcheck: [] };
}

/** Copies as COPY does: of a folder what is in it, of the build's context what .dockerignore admits. */
function copy(from: string, words: readonly string[], stage: Stage, filtered: boolean): void {
  const target = inside(stage.root, resolve(stage.workdir, words.at(-1) ?? ''));
  for (const source of words.slice(0, -1)) {
    const path = inside(from, source);
    if (filtered) {
      if (source !== '.') throw new Error('A replay copies the context as a whole');
      for (const file of listBuildContext(from)) copyTree(join(from, file), join(target, file));
    } else {
      copyTree(path, statSync(path).isDirectory() ? target : join(target, basename(source)));
    }
  }
}

function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Caches outlive builds, so that what they hold is on this machine; other mounts a replay cannot make. */
function refuseFlags(instruction: ModifiableInstruction): void {
  for (const flag of instruction.getFlags()) {
    if (flag.getName() !== 'mount' || flag.getOption('type')?.getValue() !== 'cache')
      throw new Error(`A replay does not know ${flag}`);
  }
}

async function run(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const offline = { npm_config_offline: 'true', pnpm_config_offline: 'true' };
  try {
    await promisify(execFile)('sh', ['-c', command], {
      cwd,
      env: { ...env, ...offline },
      timeout: RUN_TIMEOUT_MS,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    const output = `${stdout}${stderr}`;
    if (NOT_AT_HAND.test(output)) throw new PackagesMissing(output);
    throw new Error(`${command} failed:\n${output}`, { cause: error });
  }
}

function properties(instruction: Env): Record<string, string> {
  return Object.fromEntries(
    instruction.getProperties().map((property) => [property.getName(), property.getValue() ?? '']),
  );
}

function strings(instruction: JSONInstruction): string[] {
  if (instruction.getOpeningBracket() === null)
    throw new Error(`${instruction.getKeyword()} must be a list, so that no shell stands before the process`);
  return instruction.getJSONStrings().map((string) => string.getJSONValue());
}

function healthcheck(instruction: Healthcheck): string[] {
  const [, list = '[]'] = /^CMD\s+(\[.*\])$/s.exec(instruction.getArgumentsContent() ?? '') ?? [];
  return JSON.parse(list);
}
