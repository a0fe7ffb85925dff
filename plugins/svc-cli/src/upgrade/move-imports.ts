/**
 * Rewrites the imports of one source file to where their names are now. A renamed export keeps its local name. Names are
 * found by a parser; what is not a plain import of names is left as it is and reported. Pure but for the parser.
 */
import { type Move, moveOf } from '../application/moved-names.ts'
import type { ParsedImport, ParsedModule, ParsedStatement } from '../application/vite.ts'

export interface MovedImport {
  /** Counted from 1. */
  readonly line: number
  readonly from: string
  readonly name: string
  readonly move: Move
  /** `false`: it has to be changed by hand. */
  readonly rewritten: boolean
}

export interface MovedImports {
  readonly text: string
  readonly moved: readonly MovedImport[]
  /** Specifiers that the text imports from now and did not before. */
  readonly added: readonly string[]
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function moveImports(text: string, { staticImports, staticExports }: ParsedModule): MovedImports {
  const found = staticImports.flatMap((statement) =>
    statement.entries.flatMap((entry) => {
      const move = moveOf(statement.moduleRequest.value, entry.importName.name)
      return move === null ? [] : [{ statement, entry, move }]
    })
  )
  const arriving = new Map<string, ParsedImport[]>()
  const leaving = new Map<ParsedStatement, Set<ParsedImport>>()
  for (const { statement, entry, move } of found) {
    if (move.kind === 'removed') continue
    leaving.set(statement, (leaving.get(statement) ?? new Set()).add(entry))
    const arrived = { ...entry, importName: { ...entry.importName, name: move.name } }
    arriving.set(move.to, [...(arriving.get(move.to) ?? []), arrived])
  }
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length
  const moved = found.map(({ statement: { start, moduleRequest }, entry, move }) => {
    const rewritten = move.kind === 'moved'
    return { line: lineAt(start), from: moduleRequest.value, name: String(entry.importName.name), move, rewritten }
  })
  const exported = staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, importName: { name } }) => {
      const move = moduleRequest && moveOf(moduleRequest.value, name)
      if (move === null) return []
      return [{ line: lineAt(start), from: String(moduleRequest?.value), name: String(name), move, rewritten: false }]
    })
  )
  const known = new Set(staticImports.map(({ moduleRequest }) => moduleRequest.value))
  return {
    text: apply(text, editsOf(text, staticImports, leaving, arriving)),
    moved: [...moved, ...exported],
    added: [...arriving.keys()].filter((specifier) => !known.has(specifier))
  }
}

/** Names join an import of their new place where there is one, and else follow the first import that they left. */
function editsOf(
  text: string,
  statements: readonly ParsedStatement[],
  leaving: ReadonlyMap<ParsedStatement, ReadonlySet<ParsedImport>>,
  arriving: ReadonlyMap<string, readonly ParsedImport[]>
): Edit[] {
  const waiting = new Map(arriving)
  const hosts = new Map<ParsedStatement, readonly ParsedImport[]>()
  for (const statement of statements) {
    const guests = waiting.get(statement.moduleRequest.value)
    if (guests === undefined || statement.entries.some(({ importName }) => importName.name === null)) continue
    hosts.set(statement, guests)
    waiting.delete(statement.moduleRequest.value)
  }
  const touched = new Set([...leaving.keys(), ...hosts.keys()])
  const edits: Edit[] = []
  for (const statement of touched) {
    const kept = statement.entries.filter((entry) => leaving.get(statement)?.has(entry) !== true)
    const own = sourceOf(text, statement, statement.moduleRequest.value, [...kept, ...(hosts.get(statement) ?? [])])
    const follow = edits.length === 0 ? waiting : new Map<string, readonly ParsedImport[]>()
    const others = [...follow].map(([specifier, entries]) => sourceOf(text, statement, specifier, entries))
    const lines = [own, ...others].filter((line) => line !== '')
    edits.push({ start: statement.start, end: statement.end, text: lines.join('\n') })
  }
  return edits
}

const WIDTH = 120

/** One import in the style of the statement it comes from: its quotes, its semicolon. Empty without an entry. */
function sourceOf(
  text: string,
  { start, end, moduleRequest }: ParsedStatement,
  specifier: string,
  entries: readonly ParsedImport[]
): string {
  if (entries.length === 0) return ''
  const quote = text[moduleRequest.start] ?? "'"
  const semicolon = text.slice(start, end).endsWith(';') ? ';' : ''
  const allTypes = entries.every(({ isType }) => isType)
  const plain = entries.filter(({ importName }) => importName.kind !== 'Name').map((entry) => whole(entry))
  const named = entries
    .filter(({ importName }) => importName.kind === 'Name')
    .map(({ importName, localName, isType }) => {
      const local = importName.name === localName.value ? '' : ` as ${localName.value}`
      return `${isType && !allTypes ? 'type ' : ''}${importName.name}${local}`
    })
  const head = `import ${allTypes ? 'type ' : ''}`
  const tail = ` from ${quote}${specifier}${quote}${semicolon}`
  const listed = (list: string): string => [...plain, ...(list === '' ? [] : [list])].join(', ')
  const line = `${head}${listed(named.length === 0 ? '' : `{ ${named.join(', ')} }`)}${tail}`
  return line.length <= WIDTH ? line : `${head}${listed(`{\n  ${named.join(',\n  ')}\n}`)}${tail}`
}

function whole({ importName, localName }: ParsedImport): string {
  return importName.kind === 'Default' ? localName.value : `* as ${localName.value}`
}

function apply(text: string, edits: readonly Edit[]): string {
  let result = text
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => b.start - a.start)) {
    const after = replacement === '' && result[end] === '\n' ? end + 1 : end
    result = result.slice(0, start) + replacement + result.slice(after)
  }
  return result
}
