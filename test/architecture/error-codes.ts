/** Error codes in the sources against the tables of the reference page, both ways. */
import { type Finding, lineAt } from './finding.ts'
import { maskSource } from './mask-source.ts'
import type { SourceFile } from './repository.ts'

const CODE = /\bSVC_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g

/** Names of the same form that are environment variables, not codes. */
export const ENVIRONMENT_NAMES: ReadonlySet<string> = new Set(['SVC_WEBHOOK_KEY', 'SVC_DATABASE_URL'])

export function errorCodeFindings(sources: readonly SourceFile[], page: SourceFile): Finding[] {
  const used = new Map(sources.flatMap(codesOf).map((finding) => [finding.code, finding]))
  const documented = documentedCodes(page)
  const undocumented = [...used.values()].filter(({ code }) => !documented.has(code))
  const unused = [...documented].filter(([code]) => !used.has(code))
  return [
    ...undocumented.map(({ path, line, code }) => ({
      path,
      line,
      problem: `uses ${code}, which ${page.path} does not list`,
      fix: 'add a row for it'
    })),
    ...unused.map(([code, line]) => ({
      path: page.path,
      line,
      problem: `lists ${code}, which no source uses`,
      fix: 'remove the row, or correct the code'
    }))
  ]
}

function codesOf(file: SourceFile): { path: string; line: number; code: string }[] {
  return [...maskSource(file.text).withoutComments.matchAll(CODE)]
    .filter(([code]) => !ENVIRONMENT_NAMES.has(code))
    .map(({ 0: code, index }) => ({ path: file.path, line: lineAt(file.text, index), code }))
}

/** Codes in the first cell of a table row, with their lines. */
function documentedCodes(page: SourceFile): Map<string, number> {
  const rows = page.text
    .split('\n')
    .map((line, index) => ({ code: /^\|\s*`(SVC_[A-Z0-9_]+)`\s*\|/.exec(line)?.[1], line: index + 1 }))
  return new Map(rows.flatMap(({ code, line }) => (code === undefined ? [] : [[code, line] as const])))
}
