/**
 * What is wrong with the names that `was` gives: one that would have to be chosen between, and one that names nothing.
 * Neither is passed over, as values would be lost, or be out of sight. Pure.
 */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import type { RenameHints, SchemaShape } from './entity-shape.ts'

export interface RenameProblems {
  /** No migration is written. */
  readonly refused: readonly Problem[]
  /** A migration is written, in which the hint has no part. */
  readonly unknown: readonly Problem[]
}

interface Names {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly hints: Readonly<Record<string, string>>
  /** Before a name, in messages. */
  readonly at: string
}

/** @param others columns that are there and belong to no field, by entity: they may be what a misspelt name means */
export function renameProblems(
  before: SchemaShape,
  after: SchemaShape,
  hints: RenameHints,
  others: Readonly<Record<string, readonly string[]>> = {}
): RenameProblems {
  const columns = ({ columns }: SchemaShape[string]) => columns.map(({ name }) => name)
  const entities = { before: Object.keys(before), after: Object.keys(after), hints: hints.entities, at: '' }
  const fields = Object.entries(after).flatMap(([entity, shape]): Names[] => {
    const former = hints.entities[entity] ?? entity
    const name = before[entity] === undefined ? former : entity
    const old = before[name]
    if (old === undefined) return []
    const known = [...columns(old), ...(others[name] ?? [])]
    return [{ before: known, after: columns(shape), hints: hints.columns[entity] ?? {}, at: `${entity}.` }]
  })
  // A database that has nothing yet has nothing that could be meant.
  const all = entities.before.length === 0 ? fields : [entities, ...fields]
  return { refused: all.flatMap(ambiguous), unknown: all.flatMap(unknown) }
}

function ambiguous({ before, after, hints, at }: Names): Problem[] {
  return Object.entries(hints)
    .filter(([to, from]) => [from, to].every((name) => before.includes(name)) && after.includes(to))
    .filter(([, from]) => !after.includes(from))
    .map(([to, from]) => ({
      code: 'SVC_ORM_MIGRATION_WAS',
      message: `${at}${to} was ${from}, and both exist, so it is unclear whose values to keep; nothing was written`,
      fix: `to keep ${to}, remove was, which drops ${from}; to keep ${from}, remove ${to}, migrate, then rename`
    }))
}

function unknown({ before, after, hints, at }: Names): Problem[] {
  const gone = before.filter((name) => !after.includes(name))
  return Object.entries(hints)
    .filter(([to, from]) => after.includes(to) && !before.includes(to) && !before.includes(from))
    .map(([to, from]) => {
      const near = nearestName(from, gone)
      return {
        code: 'SVC_ORM_MIGRATION_WAS',
        message: `${at}${to} was ${from}, which does not exist: ${to} is created without its values`,
        got: from,
        ...(gone.length > 0 && { expected: gone.join(' | ') }),
        fix: near === undefined ? 'correct was, or remove it' : `did you mean ${near}?`
      }
    })
}
