import { type CompletedPlace, LANGUAGES } from './completion-words.js';

/** The shells that scripts are written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that a script is written for. */
export type Shell = (typeof SHELLS)[number];

/**
 * The script that lets a shell complete the words of a program. It holds what it offers, so that completing starts
 * nothing. Where no word fits, files do.
 */
export function completionScript(shell: Shell, program: string, places: readonly CompletedPlace[]): string {
  return SCRIPTS[shell](program, places);
}

// --- internal ---

type Script = (program: string, places: readonly CompletedPlace[]) => string;

const SCRIPTS: Readonly<Record<Shell, Script>> = { bash, zsh, fish };

function bash(program: string, places: readonly CompletedPlace[]): string {
  const name = functionName(program);
  const cases = places.map(({ words, next, options }) => {
    const offered = [...next.map(({ word }) => word), ...options.map((option) => `--${option.name}`)];
    return `    ${quoted(words)}) words=${quoted(offered.join(' '))}; valued=${quoted(valuedOf(options))} ;;`;
  });
  return `# ${program} completion bash
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' word before='' words='' valued=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $before == --lang ]] && { before=''; continue; }
    before=$word
    [[ $word == -* ]] && continue
    case "\${at:+$at }$word" in
      ${knownWords(places).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
      *) break ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ $prev == --lang ]]; then
    COMPREPLY=($(compgen -W ${quoted(LANGUAGES.join(' '))} -- "$cur"))
  elif [[ " $valued " != *" $prev "* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -o default -F ${name} ${program}
`;
}

function zsh(program: string, places: readonly CompletedPlace[]): string {
  const name = functionName(program);
  const described = (word: string, about: string) => quoted(`${word.replaceAll(':', '\\:')}:${about}`);
  const cases = places.map(({ words, next, options }) => {
    const commands = next.map(({ word, about }) => described(word, about));
    const named = options.map((option) => described(`--${option.name}`, option.about));
    return `    ${quoted(words)})
      commands=(${commands.join(' ')})
      options=(${named.join(' ')})
      valued=(${valuedOf(options)}) ;;`;
  });
  return `#compdef ${program}
# ${program} completion zsh
${name}() {
  local at='' word before=''
  local -a commands options valued
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $before == --lang ]] && { before=''; continue; }
    before=$word
    [[ $word == -* ]] && continue
    case "\${at:+$at }$word" in
      ${knownWords(places).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
      *) break ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT-1] == --lang ]]; then
    compadd ${LANGUAGES.join(' ')}
  elif (( \${valued[(Ie)$words[CURRENT-1]]} )); then
    _files
  elif [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ \${funcstack[1]} == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function fish(program: string, places: readonly CompletedPlace[]): string {
  const name = `_${functionName(program)}`;
  const lines = places.flatMap(({ words, next, options }) => {
    const here = `complete -c ${program} -n ${quoted(`${name}_at ${JSON.stringify(words)}`)}`;
    return [
      ...next.map(({ word, about }) => `${here} -f -a ${word} -d ${quoted(about)}`),
      ...options.map(
        (option) =>
          `${here} -l ${option.name} -d ${quoted(option.about)}${
            option.name === 'lang' ? ` -x -a ${quoted(LANGUAGES.join(' '))}` : option.takesValue ? ' -r' : ''
          }`,
      ),
    ];
  });
  return `# ${program} completion fish
function ${name}_at
    set -l at ''
    set -l before ''
    for word in (commandline -opc)[2..-1]
        if test "$before" = --lang
            set before ''
            continue
        end
        set before $word
        string match -q -- '-*' $word; and continue
        set -l next (string trim -- "$at $word")
        switch $next
            case ${knownWords(places).map(quoted).join(' ')}
                set at $next
            case '*'
                break
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function functionName(program: string): string {
  return `_${program.replaceAll('-', '_')}`;
}

/** Every command and beginning; what is none of them is an argument. */
function knownWords(places: readonly CompletedPlace[]): readonly string[] {
  return places.map(({ words }) => words).filter((words) => words !== '');
}

/** The options whose value comes as the next word. */
function valuedOf(options: CompletedPlace['options']): string {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ name }) => `--${name}`)
    .join(' ');
}

/** A word that no shell reads anything into. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll('\n', ' ')}'`;
}
