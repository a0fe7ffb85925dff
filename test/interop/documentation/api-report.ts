/**
 * The public names of a package, with their types, as its declaration files have them: the pages of `docs/reference/api`.
 * What an entry exports is followed to the file that declares it; comments are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import type { PackageJson } from '../../architecture/repository.ts'
import { inRepository } from './repository.ts'

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]

interface Declarations {
  readonly path: string
  readonly text: string
  readonly body: readonly Statement[]
}

export const API_PAGES = 'docs/reference/api'

/** `null` for a package without an entry. */
export function apiPage(name: string): string | null {
  const folder = inRepository(`plugins/${name}`)
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
  const entries = Object.entries(exports as Record<string, { types?: string }>).filter(([, { types }]) => types)
  if (entries.length === 0) return null
  const sections = entries.map(([subpath, { types = '' }]) => {
    return section(name + subpath.slice(1), [...exportsOf(join(folder, types)).values()])
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

function read(path: string): Declarations {
  const text = readFileSync(path, 'utf8')
  return { path, text, body: parseAst(text, { lang: 'dts' }).body }
}

/** By exported name, the text of the declaration. */
function exportsOf(path: string): Map<string, string> {
  const file = read(path)
  return new Map(file.body.flatMap((statement) => exportedBy(statement, file)))
}

function exportedBy(statement: Statement, file: Declarations): [name: string, text: string][] {
  switch (statement.type) {
    case 'ExportAllDeclaration':
      return [...exportsOf(target(file.path, statement.source.value))].filter(([name]) => name !== 'default')
    case 'ExportDefaultDeclaration': {
      const name = file.text.slice(statement.declaration.start, statement.declaration.end)
      return [['default', `${local(file, name)}\nexport default ${name};`]]
    }
    case 'ExportNamedDeclaration': {
      const source = statement.source?.value
      const listed = statement.specifiers.map(({ local: from, exported }): [string, string] => {
        const [name, as] = [nameIn(from), nameIn(exported)]
        return [as, renamed(source === undefined ? local(file, name) : imported(file.path, source, name), name, as)]
      })
      return [
        ...declaredNames(statement.declaration).map((name): [string, string] => [name, local(file, name)]),
        ...listed
      ]
    }
    default:
      return []
  }
}

/** What a file declares under this name, overloads and merged declarations together; or what it imports as it. */
function local(file: Declarations, name: string): string {
  const own = file.body.filter((statement) => declaredNames(declarationOf(statement)).includes(name))
  if (own.length > 0)
    return own.map((statement) => withoutComments(file.text.slice(statement.start, statement.end))).join('\n')
  for (const statement of file.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const specifier = statement.specifiers.find((each) => each.local.name === name)
    if (specifier === undefined) continue
    const original = specifier.type === 'ImportSpecifier' ? nameIn(specifier.imported) : name
    return renamed(imported(file.path, statement.source.value, original), original, name)
  }
  throw new Error(`${file.path} does not declare ${name}`)
}

function imported(from: string, source: string, name: string): string {
  if (!source.startsWith('.')) return `export { ${name} } from '${source}';`
  const text = exportsOf(target(from, source)).get(name)
  if (text === undefined) throw new Error(`${source}, which ${from} names, does not export ${name}`)
  return text
}

function renamed(text: string, name: string, as: string): string {
  return name === as
    ? text
    : text.replace(new RegExp(`\\b${name}\\b`), text.startsWith('export {') ? `${name} as ${as}` : as)
}

function target(from: string, source: string): string {
  return join(dirname(from), source.replace(/\.ts$/, '.d.ts'))
}

function declarationOf(statement: Statement) {
  return statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
}

function declaredNames(declaration: ReturnType<typeof declarationOf>): string[] {
  if (declaration === null) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
  }
  const id = 'id' in declaration ? declaration.id : null
  return id !== null && id.type === 'Identifier' ? [id.name] : []
}

function nameIn(node: { readonly type: string; readonly name?: string; readonly value?: string }): string {
  return node.name ?? node.value ?? ''
}

/** `declare module 'fastify' { ... }`: what a package adds to the types of others. */
function augmentations(path: string): string[] {
  const { text, body } = read(path)
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
