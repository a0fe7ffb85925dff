/**
 * How the suite runs: one open connector, every table emptied before each case.
 * Independent of the test runner; a failed case throws.
 */
import assert from 'node:assert/strict'
import type { ConformanceRunner } from 'svc-stores/conformance'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { EntityRepositories, OrmConnector } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import { conformanceEntities } from './fixtures.ts'

export interface ConformanceSubject {
  /** These entities on a database that has connected, its tables made and empty. */
  open(entities: readonly CompiledEntity[]): EntityRepositories | Promise<EntityRepositories>
  /** Called once for each connector, after its last case. */
  close?(connector: OrmConnector): void | Promise<void>
  /** `false` for a server that has none: what needs them is then left out. Default `true`. */
  readonly transactions?: boolean
  /**
   * `false` for a server that refuses in a transaction, as a violation, the unique value of a row that was inserted
   * since it began, instead of telling a conflict. Default `true`.
   */
  readonly unseenValues?: boolean
  /** `false` for a driver that cannot undo a savepoint on its own. Default `true`. */
  readonly savepoints?: boolean
  /** `false` for a driver without `Database.search`. Default `true`. */
  readonly search?: boolean
}

export interface CaseContext {
  readonly connector: OrmConnector
  /** Of one of the suite's entities: `Thing`, `Pair`, `BookAuthor`, `Book`, `Passport`, `Folder`, `Page`, `Letter`. */
  repository(entity: string): Repository
  readonly things: Repository
  readonly pairs: Repository
  readonly authors: Repository
  readonly books: Repository
}

/** By the name of the case. */
export type Cases = Readonly<Record<string, (context: CaseContext) => Promise<void>>>

export async function runCases(
  runner: ConformanceRunner,
  cases: readonly Cases[],
  subject: ConformanceSubject
): Promise<void> {
  const context = await openContext(subject)
  try {
    for (const [name, body] of cases.flatMap((each) => Object.entries(each))) {
      await runner.test(name, async () => {
        await emptyTables(context)
        await body(context)
      })
    }
  } finally {
    await subject.close?.(context.connector)
  }
}

export async function openContext(subject: ConformanceSubject): Promise<CaseContext> {
  const opened = await subject.open(conformanceEntities())
  const repository = (entity: string) => opened.repository(entity)
  return {
    connector: opened.database,
    repository,
    things: repository('Thing'),
    pairs: repository('Pair'),
    authors: repository('BookAuthor'),
    books: repository('Book')
  }
}

/** The tables themselves: whoever deletes rows of an entity may only mark them, or run hooks. */
export async function emptyTables({ connector }: CaseContext): Promise<void> {
  const entities = conformanceEntities()
  for (const entity of entities) {
    const { fields, relations } = entity
    const kept = [...relations.values()].filter(({ field, reference }) => reference && fields.get(field)?.nullable)
    const empty = Object.fromEntries(kept.map(({ field }) => [field, null]))
    if (kept.length > 0) await connector.table(entityPlan(entity)).update([], { set: empty })
  }
  // Those that refer to others come after them.
  for (const entity of entities.toReversed()) await connector.table(entityPlan(entity)).delete([])
}

/** The call is refused with an error of this code, and of this status where one is given. */
export function refused(call: () => Promise<unknown>, code: string, statusCode?: number): Promise<void> {
  return assert.rejects(call, { code, ...(statusCode !== undefined && { statusCode }) })
}

/** The rows by one of their fields, in the order they came. */
export function column(rows: readonly AnyRow[], field: string): unknown[] {
  return rows.map((row) => row[field] as unknown)
}

/** How the work of a transaction ends: with an error of its own, or well. */
export class Undone extends Error {}
export const undo = () => Promise.reject(new Undone())
export const done = () => Promise.resolve()
