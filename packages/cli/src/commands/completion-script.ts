import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Flag {
  /** With its dashes, the long form first. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A place in the tree of commands, and what may come next there. */
interface Place {
  /** The words of the command, such as `users list`; empty at the top. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** The values that an argument has, where it has few. */
  readonly values: readonly string[];
  /** Without those that the whole program has, which every command takes as well. */
  readonly flags: readonly Flag[];
}

/** Returns a script with which a shell completes commands, flags and the values of flags that have few. */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const name = program.name();
  const common = [
    ...program.options.map(flagOf),
    { names: ['--help', '-h'], takesValue: false, choices: [] },
  ];
  const places = placesOf(program, '', new Set(common.flatMap(({ names }) => names)));
  switch (shell) {
    case 'bash':
      return bashScript(name, places, common);
    case 'zsh':
      // zsh runs completions of bash.
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(name, places, common)}`;
    case 'fish':
      return fishScript(name, places, common);
  }
}

function placesOf(command: Command, path: string, common: ReadonlySet<string>): readonly Place[] {
  const place: Place = {
    path,
    commands: command.commands.map((each) => ({
      name: each.name(),
      summary: each.summary() || each.description(),
    })),
    values: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    flags: command.options.map(flagOf).filter(({ names }) => !names.some((name) => common.has(name))),
  };
  const below = command.commands.flatMap((each) =>
    placesOf(each, path === '' ? each.name() : `${path} ${each.name()}`, common),
  );
  return [place, ...below];
}

function flagOf({ long, short, required, optional, argChoices = [] }: Option): Flag {
  const names = [long, short].filter((name) => name !== undefined);
  return { names, takesValue: required || optional, choices: argChoices };
}

function bashScript(name: string, places: readonly Place[], common: readonly Flag[]): string {
  const candidates = places.map(({ path, commands, values, flags }) => {
    const next = [...commands.map((each) => each.name), ...values].join(' ');
    const long = flags.map(({ names: [first = ''] }) => first).join(' ');
    return `    ${quote(path)}) next=${quote(next)} flags=${quote(long)} ;;\n`;
  });
  const flags = [
    ...places.flatMap((place) =>
      place.flags.map((flag) => ({ flag, keys: keysOf(flag, (each) => quote(`${place.path} ${each}`)) })),
    ),
    ...common.map((flag) => ({ flag, keys: keysOf(flag, (each) => `*\\ ${each}`) })),
  ].filter(({ flag }) => flag.takesValue);
  const choices = flags.filter(({ flag }) => flag.choices.length > 0);
  const texts = flags.filter(({ flag }) => flag.choices.length === 0).map(({ keys }) => keys);
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const always = common.map(({ names: [long = ''] }) => long).join(' ');
  // In zsh `path` and `words` have a meaning of their own.
  return `_${name}() {
  local word place= next= flags= i
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${place:+$place }\${COMP_WORDS[i]}"
    case $word in
    ${paths.join('|')}) place=$word ;;
    esac
  done
  case "$place $previous" in
${choices.map(({ flag, keys }) => `    ${keys}) COMPREPLY=($(compgen -W ${quote(flag.choices.join(' '))} -- "$current")); return ;;\n`).join('')}    ${texts.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case $place in
${candidates.join('')}  esac
  case $current in
    -*) next= ;;
  esac
  [ -n "$next" ] || next="$flags ${always}"
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -F _${name} ${name}
`;
}

function keysOf({ names }: Flag, keyOf: (name: string) => string): string {
  return names.map(keyOf).join('|');
}

function fishScript(name: string, places: readonly Place[], common: readonly Flag[]): string {
  const flagLine = ({ names, takesValue, choices }: Flag, condition: string) => {
    const forms = names.map((each) =>
      each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`,
    );
    const values = choices.length > 0 ? ` -f -a ${quoteForFish(choices.join(' '))}` : '';
    return `complete -c ${name}${condition} ${forms.join(' ')}${takesValue ? ' -r' : ''}${values}`;
  };
  const lines = places.flatMap(({ path, commands, values, flags }) => {
    const condition = ` -n ${quoteForFish(`__${name}_at ${path}`)}`;
    return [
      ...commands.map(
        (each) =>
          `complete -c ${name} -f${condition} -a ${each.name} -d ${quoteForFish(firstSentence(each.summary))}`,
      ),
      ...values.map((value) => `complete -c ${name} -f${condition} -a ${value}`),
      ...flags.map((flag) => flagLine(flag, condition)),
    ];
  });
  const always = common.map((flag) => flagLine(flag, ''));
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path));
  return `function __${name}_at
  set -l place
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$place $word")
    contains -- $next ${paths.join(' ')}; and set place $next
  end
  test "$place" = "$argv"
end
${[...always, ...lines].join('\n')}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function firstSentence(text: string): string {
  return text.split(/\.\s|\n/)[0] ?? '';
}
