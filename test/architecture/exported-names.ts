/** What a module exports, each name followed to the file that declares it: of sources and of declaration files. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]

export interface Module {
  readonly path: string
  readonly text: string
  readonly body: readonly Statement[]
}

export interface Declaration {
  /** As the declaring module has it; an export may have another one. */
  readonly name: string
  /** Overloads and merged declarations together. */
  readonly statements: readonly Statement[]
  readonly module: Module
  /** The package that exports it, if it comes from another one: then there are no statements. */
  readonly from: string | null
}

export function readModule(path: string): Module {
  const text = readFileSync(path, 'utf8')
  return { path, text, body: parseAst(text, { lang: path.endsWith('.d.ts') ? 'dts' : 'ts' }).body }
}

/** By exported name. @throws Error for a name that no file declares */
export function exportsOf(path: string): Map<string, Declaration> {
  const module = readModule(path)
  return new Map(module.body.flatMap((statement) => exportedBy(statement, module)))
}

function exportedBy(statement: Statement, module: Module): [name: string, declaration: Declaration][] {
  switch (statement.type) {
    case 'ExportAllDeclaration':
      return [...exportsOf(target(module, statement.source.value))].filter(([name]) => name !== 'default')
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement
      if (declaration.type === 'Identifier') return [['default', local(module, declaration.name)]]
      return [['default', { name: 'default', statements: [statement], module, from: null }]]
    }
    case 'ExportNamedDeclaration': {
      const source = statement.source?.value
      const listed = statement.specifiers.map(({ local: from, exported }): [string, Declaration] => {
        const name = nameIn(from)
        return [nameIn(exported), source === undefined ? local(module, name) : imported(module, source, name)]
      })
      const own = declaredNames(statement.declaration)
      return [...own.map((name): [string, Declaration] => [name, local(module, name)]), ...listed]
    }
    default:
      return []
  }
}

/** What a module declares under this name, or what it imports as it. */
function local(module: Module, name: string): Declaration {
  const statements = module.body.filter((statement) => declaredNames(declarationOf(statement)).includes(name))
  if (statements.length > 0) return { name, statements, module, from: null }
  for (const statement of module.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const specifier = statement.specifiers.find((each) => each.local.name === name)
    if (specifier === undefined) continue
    const original = specifier.type === 'ImportSpecifier' ? nameIn(specifier.imported) : name
    return imported(module, statement.source.value, original)
  }
  throw new Error(`${module.path} does not declare ${name}`)
}

function imported(module: Module, source: string, name: string): Declaration {
  if (!source.startsWith('.')) return { name, statements: [], module, from: source }
  const declaration = exportsOf(target(module, source)).get(name)
  if (declaration === undefined) throw new Error(`${source}, which ${module.path} names, does not export ${name}`)
  return declaration
}

function target({ path }: Module, source: string): string {
  return join(dirname(path), path.endsWith('.d.ts') ? source.replace(/\.ts$/, '.d.ts') : source)
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
