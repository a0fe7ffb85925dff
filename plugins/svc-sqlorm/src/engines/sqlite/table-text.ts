/**
 * The text of a table as SQLite keeps it, cut into its clauses: so a table is rebuilt with one column changed, and all
 * that its other columns and constraints say, whoever wrote them. Pure.
 */

export interface TableText {
  /** Columns and constraints, in order, as they are written. */
  readonly clauses: readonly TableClause[]
  /** What follows the parenthesis: `strict`. */
  readonly end: string
}

export interface TableClause {
  /** Of the column; `null` for a constraint of the table. */
  readonly column: string | null
  readonly text: string
}

const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)\b/i

/** Literal parts: text, quoted names, comments. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*\n?|\/\*[\s\S]*?\*\/|[(),]|[^'"`[\-/(),]+|[-/]/g

/** @param definition a `create table` with a list of columns @throws TypeError for any other text */
export function readTableText(definition: string): TableText {
  const clauses: string[] = []
  let depth = 0
  let clause = ''
  let end: string | null = null
  for (const [token] of definition.matchAll(TOKEN)) {
    if (end !== null) end += token
    else if (token.startsWith('--') || token.startsWith('/*')) clause += ' '
    else if (token === '(' && depth++ === 0) clause = ''
    else if (token === ',' && depth === 1) {
      clauses.push(clause)
      clause = ''
    } else if (token === ')' && --depth === 0) {
      clauses.push(clause)
      end = ''
    } else clause += token
  }
  if (end === null) throw new TypeError('the text of a table has no list of columns')
  return { clauses: clauses.map((each) => readClause(each.trim())), end: end.trim() }
}

function readClause(text: string): TableClause {
  if (CONSTRAINT.test(text)) return { column: null, text }
  const [, quoted] = /^(?:"((?:[^"]|"")*)"|`[^`]*`|\[[^\]]*\])/.exec(text) ?? []
  if (quoted !== undefined) return { column: quoted.replaceAll('""', '"'), text }
  const name = /^(?:`([^`]*)`|\[([^\]]*)\]|([^\s(]+))/.exec(text)
  return { column: name?.[1] ?? name?.[2] ?? name?.[3] ?? null, text }
}

const NAME = '"(?:[^"]|"")*"'

/** A foreign key of the column as svc writes it, at its end. */
const REFERENCE = new RegExp(
  ` constraint ${NAME} references ${NAME} ?\\(${NAME}\\)(?: on delete (?:cascade|set null))?(?: deferrable initially deferred)?$`
)

/** The foreign key that the clause of a column ends with, and the blank before it; empty where there is none. */
export function referenceEnd(text: string): string {
  return REFERENCE.exec(text)?.[0] ?? ''
}
