/** Reads the commands of `bash` blocks that are ours: npm scripts and `svc` commands. Pure. */
import type { MarkdownPage } from './markdown-page.ts'

export interface ShellCommand {
  readonly place: string
  /** `npm` for a script of a package.json, `svc` for the command line. */
  readonly program: 'npm' | 'svc'
  /** A script and what it runs, such as `bench http`; for `svc` the leading plain words, such as `create app shop`. */
  readonly words: readonly string[]
  readonly flags: readonly string[]
}

export function shellCommands({ path, blocks }: MarkdownPage): ShellCommand[] {
  return blocks
    .filter(({ language }) => language === 'bash')
    .flatMap(({ code, line }) =>
      code.split('\n').flatMap((text, index) => {
        const parts = (text.split(' # ')[0] ?? '').split(/\s*(?:&&|\|\||;|\|)\s*/)
        return parts.map((part) => parse(part, `${path}:${line + index}`)).filter((command) => command !== null)
      })
    )
}

function parse(text: string, place: string): ShellCommand | null {
  const given = text.trim().split(/\s+/)
  // Variables that are set for one command, such as PORT=5161.
  while (/^[A-Z_]+=/.test(given[0] ?? '')) given.shift()
  if (given[0] === 'npx') given.shift()
  const [program, ...rest] = given
  if (program === 'npm') {
    if (rest[0] === 'start' || rest[0] === 'test') return { place, program, words: [rest[0]], flags: [] }
    // npm hands what follows `--` to the command that creates.
    if (rest[0] === 'create') return parse(`svc create app ${rest.slice(2).join(' ').replace(' -- ', ' ')}`, place)
    if (rest[0] !== 'run') return null
    const [, script = '', dashes, first = '-'] = rest
    return { place, program, words: dashes === '--' && !first.startsWith('-') ? [script, first] : [script], flags: [] }
  }
  if (program === 'svc-cli') return parse(`svc ${rest.join(' ')}`, place)
  if (program !== 'svc') return null
  const end = rest.findIndex((word) => word.startsWith('-'))
  return {
    place,
    program,
    words: end === -1 ? rest : rest.slice(0, end),
    flags: rest.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? word)
  }
}
