/**
 * Rows of sealed fields that take the first key: those that were there before their field was sealed, those under a former
 * key, and those without a hash. In pages, a row at a time: one that changes meanwhile is left as it is, since what
 * changed it sealed it under the first key.
 */
import { after, type Condition, type SortKey } from 'svc-stores/table'
import { hashColumn } from '../entities/hash-column.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { UniqueViolation } from '../errors.ts'
import { isSearchable, type SealedEntities, type SealedEntity } from './sealed-entities.ts'
import type { SealedUnder } from './sealing.ts'

/** The result for one field. */
export interface SealedField {
  readonly entity: string
  readonly field: string
  /** The number of values that it has encrypted with the first key. */
  readonly sealed: number
  /** The number of values that no key decrypts. They stay as they are. */
  readonly unreadable: number
  /** The number of duplicate values of a unique field. They stay as they are, and the field cannot be searched. */
  readonly duplicates: number
}

type Outcome = 'sealed' | 'unreadable' | 'duplicates'

const PAGE = 100
const BY_KEY: readonly SortKey[] = [{ field: 'id', direction: 'ASC' }]

export async function sealRows(entities: SealedEntities, isStopped: () => boolean): Promise<readonly SealedField[]> {
  const done: SealedField[] = []
  for (const entity of entities.byPlan.values()) {
    const counts = new Map([...entity.fields.keys()].map((name) => [name, { sealed: 0, unreadable: 0, duplicates: 0 }]))
    await everyRow(entity, isStopped, async (row) => {
      for (const name of entity.fields.keys()) {
        const outcome = await sealValue(entities, entity, row, name)
        const count = counts.get(name)
        if (count !== undefined && outcome !== null) count[outcome] += 1
      }
    })
    done.push(...[...counts].map(([field, count]) => ({ entity: entity.name, field, ...count })))
  }
  return done
}

/** How many values rest under which key; reads all, writes none. */
export async function countSealed(entities: SealedEntities): Promise<Readonly<Record<SealedUnder, number>>> {
  const counts = { first: 0, former: 0, plain: 0, unreadable: 0 }
  for (const entity of entities.byPlan.values()) {
    await everyRow(
      entity,
      () => false,
      async (row) => {
        for (const [name, field] of entity.fields) {
          const stored: unknown = row[name]
          if (typeof stored === 'string') counts[entities.sealing.under(field, stored)] += 1
        }
      }
    )
  }
  return counts
}

async function everyRow(
  { stored }: SealedEntity,
  isStopped: () => boolean,
  visit: (row: AnyRow) => Promise<void>
): Promise<void> {
  for (let last: AnyRow | null = null; !isStopped(); ) {
    const rows: AnyRow[] = await stored.find(last === null ? [] : after(BY_KEY, last), { order: BY_KEY, limit: PAGE })
    for (const row of rows) {
      if (isStopped()) return
      await visit(row)
    }
    last = rows.at(-1) ?? null
    if (rows.length < PAGE) return
  }
}

async function sealValue(
  { sealing }: SealedEntities,
  { stored, fields }: SealedEntity,
  row: AnyRow,
  name: string
): Promise<Outcome | null> {
  const field = fields.get(name)
  const text: unknown = row[name]
  if (field === undefined || typeof text !== 'string') return null
  const under = sealing.under(field, text)
  if (under === 'unreadable') return 'unreadable'
  const value = sealing.open(field, text)
  const hash = hashColumn(name)
  const isHashed = !isSearchable(field) || row[hash] === sealing.hash(field, value)
  if (under === 'first' && isHashed) return null
  const set = { [name]: sealing.seal(field, value), ...(isSearchable(field) && { [hash]: sealing.hash(field, value) }) }
  const asRead: readonly Condition[] = [
    { field: 'id', operator: 'eq', value: row.id },
    { field: name, operator: 'eq', value: text }
  ]
  try {
    return (await stored.update(asRead, { set })) === 1 ? 'sealed' : null
  } catch (error) {
    if (error instanceof UniqueViolation) return 'duplicates'
    throw error
  }
}
