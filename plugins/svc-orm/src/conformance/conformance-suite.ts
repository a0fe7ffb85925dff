/**
 * How the suite runs: one open connector, every table emptied before each case.
 * Independent of the test runner; a failed case throws.
 */
import assert from 'node:assert/strict'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { EntityRepositories, OrmConnector } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import { conformanceEntities } from './fixtures.ts'

/** Anything with tap's `t.test`: a subtest that fails when its body rejects. */
export interface ConformanceRunner {
  test(name: string, body: () => Promise<void>): unknown
}

export interface ConformanceSubject {
  /** These entities on a database that has connected, its tables made and empty. */
  open(entities: readonly CompiledEntity[]): EntityRepositories | Promise<EntityRepositories>
  /** Called once, after the last case. */
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
}

export interface CaseContext {
  readonly connector: OrmConnector
  /** Of one of the suite's entities: `Thing`, `Pair`, `BookAuthor`, `Book`, `Passport`. */
  repository(entity: string): Repository
}

export type ConformanceCase = readonly [name: string, body: (context: CaseContext) => Promise<void>]

export async function runCases(
  runner: ConformanceRunner,
  cases: readonly ConformanceCase[],
  subject: ConformanceSubject
): Promise<void> {
  const context = await openContext(subject)
  try {
    for (const [name, body] of cases) {
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
  const entities = conformanceEntities()
  const repositories = await subject.open(entities)
  return { connector: repositories.database, repository: (entity) => repositories.repository(entity) }
}

export async function emptyTables({ repository }: CaseContext): Promise<void> {
  for (const { name } of conformanceEntities()) await repository(name).delete({})
}

/** Calls made at once, as many clients would. */
export function atOnce<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)))
}

/** The call is refused with an error of this code, and of this status where one is given. */
export async function refused(call: () => Promise<unknown>, code: string, statusCode?: number): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown; statusCode?: unknown }) => {
    assert.equal(error.code, code)
    if (statusCode !== undefined) assert.equal(error.statusCode, statusCode)
    return true
  })
}

/** The rows by one of their fields, in the order they came. */
export function column(rows: readonly AnyRow[], field: string): unknown[] {
  return rows.map((row) => row[field] as unknown)
}
