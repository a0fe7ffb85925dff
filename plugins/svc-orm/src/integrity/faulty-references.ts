/**
 * Rows whose reference names a row that is gone, or one of another scope. A database that keeps references itself answers
 * with an anti join; of any other, and to compare scopes, rows are read in pages by id.
 */
import type { Condition, Table, Transaction } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { namedRows } from '../references/owners.ts'
import type { Referrer } from '../references/referrers.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'

/** `dangling`: names a row that is gone. `crossing`: names a row of another scope. */
export type ReferenceFault = 'dangling' | 'crossing'

/** How many rows, and the first of them by id. */
export interface FaultyRows {
  readonly count: number
  readonly first: readonly string[]
}

type FaultyIds = Readonly<Record<ReferenceFault, readonly string[]>>

/** Rows of one transaction, or of one page. */
const BATCH = 1000
const FIRST = 5
const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

export async function faultyRows(
  referrer: Referrer,
  repositories: EntityRepositories
): Promise<Readonly<Record<ReferenceFault, FaultyRows>>> {
  if (isAnswered(referrer, repositories)) {
    const table = repositories.whole(referrer.entity.name, null)
    const where = dangling(referrer, repositories)
    const count = await table.count(where)
    const first = count === 0 ? [] : await idsOf(table, where, FIRST)
    return { dangling: { count, first }, crossing: { count: 0, first: [] } }
  }
  const found = { dangling: new Found(), crossing: new Found() }
  for await (const page of faultyPages(referrer, repositories, null)) {
    found.dangling.add(page.dangling)
    found.crossing.add(page.crossing)
  }
  return found
}

/** Some of them, as many as a transaction takes. @returns none where there are none left */
export async function someFaulty(
  fault: ReferenceFault,
  referrer: Referrer,
  repositories: EntityRepositories,
  tx: Transaction | null
): Promise<readonly string[]> {
  if (isAnswered(referrer, repositories)) {
    const table = repositories.whole(referrer.entity.name, tx)
    return fault === 'crossing' ? [] : idsOf(table, dangling(referrer, repositories), BATCH)
  }
  for await (const page of faultyPages(referrer, repositories, tx)) if (page[fault].length > 0) return page[fault]
  return []
}

class Found implements FaultyRows {
  readonly first: string[] = []
  count = 0

  add(ids: readonly string[]): void {
    this.count += ids.length
    this.first.push(...ids.slice(0, FIRST - this.first.length))
  }
}

/** No query compares rows of two tables by two columns. */
function isAnswered({ reference }: Referrer, { database }: EntityRepositories): boolean {
  return database.references === true && reference.within === undefined
}

function dangling({ relation }: Referrer, repositories: EntityRepositories): readonly Condition[] {
  const { field, target } = relation
  const table = entityPlan(repositories.entity(target))
  return [
    { field, operator: 'null', value: false },
    { operator: 'not', of: [{ operator: 'related', field, table, column: 'id', of: [] }] }
  ]
}

/** A page for each thousand rows with a reference: those of them that are faulty. */
async function* faultyPages(
  referrer: Referrer,
  repositories: EntityRepositories,
  tx: Transaction | null
): AsyncGenerator<FaultyIds> {
  const { entity, relation, reference } = referrer
  const { within } = reference
  const tableOf = (name: string, of: Transaction | null) => repositories.whole(name, of)
  const without = othersOf(entity, ['id', relation.field, ...(within === undefined ? [] : [within])])
  for (let last: string | null = null; ; ) {
    const after: readonly Condition[] = last === null ? [] : [{ field: 'id', operator: 'gt', value: last }]
    const where: readonly Condition[] = [{ field: relation.field, operator: 'null', value: false }, ...after]
    const rows: AnyRow[] = await tableOf(entity.name, tx).find(where, { order: BY_ID, limit: BATCH, without })
    const held = [...new Set(rows.map((row) => row[relation.field] as string))]
    const named = await namedRows(referrer, held, tableOf, tx)
    const faultOf = (row: AnyRow): ReferenceFault | null => {
      const owner = named.get(row[relation.field])
      if (owner === undefined) return 'dangling'
      return within !== undefined && owner[within] !== row[within] ? 'crossing' : null
    }
    const found = Map.groupBy(rows, faultOf)
    const ids = (fault: ReferenceFault) => (found.get(fault) ?? []).map(({ id }) => id)
    yield { dangling: ids('dangling'), crossing: ids('crossing') }
    last = rows.at(-1)?.id ?? null
    if (rows.length < BATCH) return
  }
}

async function idsOf(table: Table<AnyRow>, where: readonly Condition[], limit: number): Promise<string[]> {
  const without = table.plan.columns.map(({ name }) => name).filter((name) => name !== 'id')
  const rows = await table.find(where, { order: BY_ID, limit, without })
  return rows.map(({ id }) => id)
}

function othersOf(entity: CompiledEntity, names: readonly string[]): readonly string[] {
  return [...entity.fields.keys()].filter((name) => !names.includes(name))
}
