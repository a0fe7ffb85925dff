/**
 * The public names of a package, with their types, as its declaration files have them: the pages of `docs/reference/api`.
 * What an entry exports is followed to the file that declares it; comments are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Declaration, exportsOf, readModule } from '../../architecture/exported-names.ts'
import type { PackageJson } from '../../architecture/repository.ts'
import { inRepository } from './repository.ts'

export const API_PAGES = 'docs/reference/api'

/** `null` for a package without an entry. */
export function apiPage(name: string): string | null {
  const folder = inRepository(`plugins/${name}`)
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
  const entries = Object.entries(exports as Record<string, { types?: string }>).filter(([, { types }]) => types)
  if (entries.length === 0) return null
  const sections = entries.map(([subpath, { types = '' }]) => {
    return section(name + subpath.slice(1), [...exportsOf(join(folder, types))].map(textOf))
  })
  const added = globSync('dist/src/**/*.d.ts', { cwd: folder }).flatMap((path) => augmentations(join(folder, path)))
  return [
    `# Names of ${name}`,
    `Look up what \`${name}\` exports, with types. Its [README](../../../plugins/${name}/README.md) says how to use it.`,
    ...sections,
    ...(added.length === 0 ? [] : [section('Added to other packages', added)])
  ]
    .join('\n\n')
    .concat('\n')
}

/** Declarations of a page, by the heading they are below and their name. */
function declarationsOn(page: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const { 1: heading, 2: code = '' } of page.matchAll(/^## (.+)\n\n```typescript\n([\s\S]*?)\n```$/gm)) {
    for (const declaration of code.split('\n\n')) {
      const key = `${heading}: ${nameOf(declaration)}`
      found.set(key, (found.get(key) ?? '') + declaration)
    }
  }
  return found
}

/** One line for each name that is on one page alone, or differs. */
export function changedNames(before: string, after: string): string[] {
  const [old, now] = [declarationsOn(before), declarationsOn(after)]
  return [
    ...[...now.keys()].filter((key) => !old.has(key)).map((key) => `appeared  ${key}`),
    ...[...old.keys()].filter((key) => !now.has(key)).map((key) => `went  ${key}`),
    ...[...now].filter(([key, text]) => old.has(key) && old.get(key) !== text).map(([key]) => `changed  ${key}`)
  ].sort()
}

function nameOf(declaration: string): string {
  if (/^export default/m.test(declaration)) return 'default'
  const head = /^(?:declare |abstract )*(?:class|const|function|interface|type|let|enum|namespace|module) ([^\s<(:=;]+)/
  return (
    head.exec(declaration)?.[1] ?? /^export \{ (?:type )?(?:\w+ as )?(\w+) \}/.exec(declaration)?.[1] ?? declaration
  )
}

function section(title: string, declarations: readonly string[]): string {
  return `## ${title}\n\n\`\`\`typescript\n${declarations.toSorted(byName).join('\n\n')}\n\`\`\``
}

function byName(left: string, right: string): number {
  const [a, b] = [nameOf(left), nameOf(right)]
  return a < b ? -1 : Number(a > b)
}

/** The declaration as it reads under the name that is exported. */
function textOf([as, { name, statements, module, from }]: readonly [string, Declaration]): string {
  const text =
    from === null
      ? statements.map(({ start, end }) => withoutComments(module.text.slice(start, end))).join('\n')
      : `export { ${name} } from '${from}';`
  if (as === 'default') return `${text}\nexport default ${name};`
  if (as === name) return text
  return text.replace(new RegExp(`\\b${name}\\b`), from === null ? as : `${name} as ${as}`)
}

/** `declare module 'fastify' { ... }`: what a package adds to the types of others. */
function augmentations(path: string): string[] {
  const { text, body } = readModule(path)
  return body
    .filter((statement) => statement.type === 'TSModuleDeclaration' && statement.id.type === 'Literal')
    .map((statement) => withoutComments(text.slice(statement.start, statement.end)))
}

/** The compiler writes each comment on lines of its own. */
function withoutComments(text: string): string {
  return text
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^export /, '')
    .replace(/\n\n+/g, '\n')
}
