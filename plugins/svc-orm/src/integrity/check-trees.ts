/** Rows of trees that are above themselves, because other software or a server without transactions wrote them: counted and mended. */
import type { Condition, Table, Transaction } from 'svc-stores/table'
import { treeCondition } from '../criteria/tree-criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { isReadOnly } from '../entities/existing-table.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { among } from '../references/owners.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import { inTransaction } from '../repository/removal.ts'
import { findCircles } from './find-circles.ts'

/** An entity with `tree`, and the rows that are their own ancestors. */
export interface CheckedTree {
  readonly connector: string
  readonly entity: string
  /** The reference field. */
  readonly field: string
  /** The number of rows that are part of a circle. */
  readonly circling: number
  readonly circles: number
  /** The first row by id of each of the first five circles: the row that a repair makes a root. */
  readonly first: readonly string[]
  /** What a repair does with this row; `null`: nothing, because the entity is read-only. */
  readonly repair: 'setNull' | null
}

type Tree = CompiledEntity & { readonly tree: NonNullable<CompiledEntity['tree']> }
type Circle = readonly string[]
/** The row above, by id. */
type Links = ReadonlyMap<string, string>

const BATCH = 1000
const FIRST = 5
const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

/** Reads the rows by page, with those above them. @throws ConnectionUnavailable */
export async function checkTrees(repositories: EntityRepositories): Promise<readonly CheckedTree[]> {
  const checked: CheckedTree[] = []
  for (const entity of treesOf(repositories)) {
    const seen = new SeenCircles()
    for await (const circle of circlesOf(repositories, entity)) seen.add(circle)
    checked.push(viewOf(repositories, entity, seen))
  }
  return checked
}

/** Makes a row of each circle a root, each in a transaction, with hooks. @returns what it mended, by entity */
export async function repairTrees(repositories: EntityRepositories): Promise<readonly CheckedTree[]> {
  const mended: CheckedTree[] = []
  for (const entity of treesOf(repositories)) {
    if (isReadOnly(entity)) continue
    const opened = new SeenCircles()
    for await (const circle of circlesOf(repositories, entity))
      if (await openCircle(repositories, entity, circle)) opened.add(circle)
    if (opened.circles > 0) mended.push(viewOf(repositories, entity, opened))
  }
  return mended
}

/** Counts circles, which are then forgotten. */
class SeenCircles {
  circling = 0
  circles = 0
  readonly first: string[] = []

  add(circle: Circle): void {
    this.circling += circle.length
    this.circles += 1
    if (this.first.length < FIRST) this.first.push(circle[0] as string)
  }
}

function treesOf({ entities }: EntityRepositories): readonly Tree[] {
  return entities.filter((entity): entity is Tree => entity.tree !== undefined)
}

function viewOf({ database }: EntityRepositories, entity: Tree, seen: SeenCircles): CheckedTree {
  const { circling, circles, first } = seen
  return {
    connector: database.name,
    entity: entity.name,
    field: entity.tree.field,
    circling,
    circles,
    first,
    repair: isReadOnly(entity) ? null : 'setNull'
  }
}

/**
 * Those whose first row is on a page, page by page: what leads on from a page reaches the whole of each. Pages show rows at
 * different times, so what looks like a circle is read again.
 */
async function* circlesOf(repositories: EntityRepositories, entity: Tree): AsyncGenerator<Circle> {
  const table = repositories.whole(entity.name, null)
  for await (const page of pagesOf(table, entity)) {
    const reached = new Map([...page, ...(await readAbove(table, entity, page))])
    for (const circle of findCircles(reached))
      if (page.has(circle[0] as string) && (await stands(table, entity, circle))) yield circle
  }
}

async function openCircle(repositories: EntityRepositories, entity: Tree, circle: Circle): Promise<boolean> {
  return inTransaction(repositories, entity, null, async (tx: Transaction | null) => {
    if (!(await stands(repositories.whole(entity.name, tx), entity, circle, tx !== null))) return false
    const root = [among('id', circle.slice(0, 1))]
    return (await repositories.writes(entity.name, tx).update(root, { [entity.tree.field]: null })) === 1
  })
}

async function stands(table: Table<AnyRow>, entity: Tree, circle: Circle, locks = false): Promise<boolean> {
  const above = new Map<string, unknown>()
  for (let from = 0; from < circle.length; from += BATCH) {
    const where = [among('id', circle.slice(from, from + BATCH))]
    const rows = await table.find(where, {
      order: BY_ID,
      without: withoutValues(entity),
      ...(locks && { lock: 'update' })
    })
    for (const row of rows) above.set(row.id, row[entity.tree.field])
  }
  return circle.every((id, place) => above.get(id) === circle[(place + 1) % circle.length])
}

/** The row above, by id, of rows that are no roots. */
async function* pagesOf(table: Table<AnyRow>, entity: Tree): AsyncGenerator<Links> {
  const { field } = entity.tree
  for (let last: string | undefined, more = true; more; ) {
    const after: readonly Condition[] = last === undefined ? [] : [{ field: 'id', operator: 'gt', value: last }]
    const where: readonly Condition[] = [{ field, operator: 'null', value: false }, ...after]
    const rows = await table.find(where, { order: BY_ID, limit: BATCH, without: withoutValues(entity) })
    yield linksOf(entity, rows)
    last = rows.at(-1)?.id
    more = rows.length === BATCH
  }
}

/** The rows above those of a page that are not on it themselves. */
async function readAbove(table: Table<AnyRow>, entity: Tree, page: Links): Promise<Links> {
  const others = new Set([...page.values()].filter((id) => !page.has(id)))
  if (others.size === 0) return new Map()
  const paths = treeCondition(entity, { direction: 'up', from: [among('id', [...others])], of: [] })
  return linksOf(entity, await table.find([paths], { without: withoutValues(entity) }))
}

function linksOf({ tree }: Tree, rows: readonly AnyRow[]): Links {
  const named = rows.map((row) => [row.id, (row[tree.field] ?? null) as string | null] as const)
  return new Map(named.filter((link): link is readonly [string, string] => link[1] !== null))
}

function withoutValues({ fields, tree }: Tree): readonly string[] {
  return [...fields.keys()].filter((name) => name !== tree.field)
}
