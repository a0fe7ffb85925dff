/**
 * What the specification promises, by area, and the tests that hold each promise. A promise that is departed from names
 * the section of `docs/decisions/departures.md` that says how.
 */
import { type Finding, lineAt } from './finding.ts'
import type { SourceFile } from './repository.ts'

export const PROMISES = 'test/vectors/promises.json'
export const DEPARTURES = 'docs/decisions/departures.md'

export interface HeldPromise {
  /** One sentence, which may hold Markdown code. Unique. */
  readonly promise: string
  /** The section or table of the specification, by its own heading. */
  readonly source: string
  /** Anchor of a section of the departures. */
  readonly departs?: string
  readonly tests: readonly NamedTest[]
}

export interface NamedTest {
  readonly file: string
  /** As it is written in the file; of a published case its id. */
  readonly title: string
}

export type Promises = Readonly<Record<string, readonly HeldPromise[]>>

const LITERAL = `(?:'((?:\\\\.|[^'\\\\])+)'|"((?:\\\\.|[^"\\\\])+)"|\`((?:\\\\.|[^\`\\\\])+)\`)`
/** `t.test('title', ...)`, `securityCase('ZON-05', ...)`, `aCase('title', ...)` of a suite. */
const CALLED = new RegExp(`\\b(?:test|securityCase|aCase)\\(\\s*${LITERAL}`, 'g')
/** A row of a table of cases, or a case by its key. */
const LISTED = new RegExp(`(?:\\[|\\b(?:title|name):)\\s*${LITERAL}|^ +${LITERAL}: (?:async|\\()`, 'gm')
/** A title that is made of such a row. */
const COMPUTED = /\btest\(\s*(?:`[^`]*\$\{|[a-z]\w*,)/

/** The titles of the tests of a file, as they are written there. */
export function testTitles({ path, text }: SourceFile): Set<string> {
  const listed = COMPUTED.test(text) || /\/src\/.*conformance/.test(path) ? [...text.matchAll(LISTED)] : []
  const found = [...text.matchAll(CALLED), ...listed]
  return new Set(found.map(([, ...literals]) => unescaped(literals.find((text) => text !== undefined) ?? '')))
}

function unescaped(literal: string): string {
  return literal.replace(/\\(['"`])/g, '$1')
}

/** @param sources the files that promises may name */
export function promiseFindings(promises: Promises, sources: readonly SourceFile[]): Finding[] {
  const titles = new Map(sources.map((source) => [source.path, testTitles(source)]))
  const seen = new Set<string>()
  const about = (problem: string, fix: string): Finding => ({ path: PROMISES, line: 0, problem, fix })
  return Object.entries(promises).flatMap(([area, held]) => {
    if (held.length === 0) return [about(`has no promise in "${area}"`, 'remove the area')]
    return held.flatMap(({ promise, tests }) => {
      const found = seen.has(promise) ? [about(`says twice: ${promise}`, 'keep one of them')] : []
      seen.add(promise)
      if (tests.length === 0) found.push(about(`names no test for: ${promise}`, 'name the test that fails without it'))
      for (const { file, title } of tests) {
        const known = titles.get(file)
        if (known?.has(title)) continue
        const problem = known === undefined ? `names ${file}, which is no test` : `names "${title}" of ${file}`
        found.push(about(`${problem}, for: ${promise}`, 'name a test by its file and its title'))
      }
      return found
    })
  })
}

/** Each departure belongs to a promise, and each promise that departs to a section with departures. */
export function departureFindings(promises: Promises, page: string): Finding[] {
  const rows = departuresBySection(page)
  const departing = Object.values(promises).flatMap((held) => held.flatMap(({ departs }) => departs ?? []))
  const unknown = [...new Set(departing)].filter((anchor) => !rows.has(anchor))
  const missed = [...rows].filter(([anchor, { count }]) => departing.filter((each) => each === anchor).length < count)
  return [
    ...unknown.map((anchor) => ({
      path: PROMISES,
      line: 0,
      problem: `departs to #${anchor}, which ${DEPARTURES} does not have`,
      fix: 'name one of its sections'
    })),
    ...missed.map(([anchor, { count, line }]) => ({
      path: DEPARTURES,
      line,
      problem: `has ${count} departures under #${anchor}, more than promises that depart`,
      fix: `say in ${PROMISES} which promises depart`
    }))
  ]
}

function departuresBySection(page: string): Map<string, { count: number; line: number }> {
  const sections = new Map<string, { count: number; line: number }>()
  for (const { 0: section, 1: heading = '', index } of page.matchAll(/^## (.+)\n[\s\S]*?(?=^## |(?![\s\S]))/gm)) {
    const count = [...section.matchAll(/^\| (?!the specification says|---)/gm)].length
    sections.set(heading.toLowerCase().replaceAll(' ', '-'), { count, line: lineAt(page, index) })
  }
  return sections
}
