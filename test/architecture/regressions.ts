/** Faults that were found once: each has a test whose title begins with its id, and no title names an id that is unknown. */
import { type Finding, lineAt } from './finding.ts'
import type { SourceFile } from './repository.ts'

/** `'R1: ...'`, or several: `'S6, C1: ...'`. */
const TITLE = /['"`]((?:[A-Z]\d{1,2}(?:, | and )?)+): /g
const ID = /[A-Z]\d{1,2}/g

export const REGRESSIONS = 'test/vectors/regressions.json'

/** @param known ids and what has to hold */
export function regressionFindings(known: Readonly<Record<string, string>>, tests: readonly SourceFile[]): Finding[] {
  const named = tests.flatMap(({ path, text }) =>
    [...text.matchAll(TITLE)].flatMap(({ 1: ids = '', index }) =>
      [...ids.matchAll(ID)].map(([id]) => ({ id, path, line: lineAt(text, index) }))
    )
  )
  const tested = new Set(named.map(({ id }) => id))
  return [
    ...Object.keys(known)
      .filter((id) => !tested.has(id))
      .map((id) => ({
        path: REGRESSIONS,
        line: 0,
        problem: `lists ${id}, which no test is named for`,
        fix: `begin the title of its test with '${id}: '`
      })),
    ...named
      .filter(({ id }) => !(id in known))
      .map(({ id, path, line }) => ({
        path,
        line,
        problem: `is named for ${id}, which ${REGRESSIONS} does not list`,
        fix: 'say there what has to hold, or correct the id'
      }))
  ]
}
