/** The tables of `docs/conformance.md`: how many promises each area has, then each promise with the tests that hold it. */
import { readFileSync } from 'node:fs'
import { type HeldPromise, type NamedTest, PROMISES, type Promises } from '../../architecture/promises.ts'
import { inRepository } from './repository.ts'

type Table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>) => string

export function promiseTables(table: Table): string {
  const areas = Object.entries(JSON.parse(readFileSync(inRepository(PROMISES), 'utf8')) as Promises)
  const all = areas.flatMap(([, held]) => held)
  const summary = table(
    ['area', 'promises', 'held by tests', 'departs'],
    [...areas.map(([area, held]) => [`[${area}](#${anchorOf(area)})`, ...counts(held)]), ['all', ...counts(all)]]
  )
  const sections = areas.map(([area, held]) => {
    const rows = held.map((one) => [one.promise, heldBy(one)])
    return `## ${area}\n\n${table(['promise', 'held by'], rows)}`
  })
  return [summary, ...sections].join('\n\n')
}

function counts(held: readonly HeldPromise[]): string[] {
  const departing = held.filter(({ departs }) => departs !== undefined).length
  return [held.length, held.length - departing, departing].map(String)
}

function heldBy({ departs, tests }: HeldPromise): string {
  const links = tests.map(linkTo)
  return (departs === undefined ? links : [`[departs](decisions/departures.md#${departs})`, ...links]).join('; ')
}

/** What is computed in a title is left open. */
function linkTo({ file, title }: NamedTest): string {
  const shown = title.replace(/\$\{[^}]*\}/g, '…').replace(/[[\]<>*_`\\]/g, '\\$&')
  return `[${shown}](../${file})`
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-')
}
