/**
 * References between tables in memory. After each statement the rows that it wrote have their owners, and what belongs to
 * the rows that it removed is removed, set to null, or refuses it: first it is found, then all of it is done, or nothing.
 */
import { ReferencedRow, ReferenceMissing, TransactionConflict } from '../errors.ts'
import type { ConditionValue } from '../table/condition.ts'
import { type ReferencePlan, recordOf, relationOf, type TablePlan } from '../table/table-plan.ts'
import type { MemoryRows, RowChange } from './memory-rows.ts'

type Values = Readonly<Record<string, unknown>>

/** The tables as a statement sees them. */
export interface SeenTables {
  read(table: string): MemoryRows | undefined
  /** The same rows, to be changed. */
  write(table: string): MemoryRows
  /** Deferrable references are checked later. */
  readonly inTransaction: boolean
}

interface Referrer {
  readonly plan: TablePlan
  readonly reference: ReferencePlan
}

type Removed = readonly [table: string, rows: readonly object[]]

type Keyed = readonly (readonly [key: string, row: object])[]

interface TableEffects {
  readonly removed: Map<string, object>
  readonly nulled: Map<string, Row>
}

type Row = Values & object

const NONE: readonly Referrer[] = []

export class MemoryReferences {
  /** By the table that they name. */
  readonly #referrers = new Map<string, Referrer[]>()

  declare(plan: TablePlan): void {
    for (const reference of plan.references ?? []) {
      const known = this.#referrers.get(reference.table) ?? []
      this.#referrers.set(reference.table, [...known, { plan, reference }])
    }
  }

  /** Whether rows of the table refer to others, or others to them. */
  concern({ name, references = [] }: TablePlan): boolean {
    return references.length > 0 || this.#referrersOf(name).length > 0
  }

  /** Of one statement. @throws ReferenceMissing, ReferencedRow */
  keep(plan: TablePlan, changes: readonly RowChange[], seen: SeenTables): void {
    for (const reference of plan.references ?? []) {
      if (seen.inTransaction && reference.deferrable === true) continue
      const missing = changes.some(([, before, after]) => {
        return isChanged(reference, before, after) && hasNoOwner(reference, after, (table) => seen.read(table))
      })
      if (missing) throw new ReferenceMissing(recordOf(plan), reference.column)
    }
    const removed = changes.flatMap(([key, before, after]) =>
      before === undefined || after !== undefined ? [] : [[key, before as Row] as const]
    )
    if (removed.length > 0 && this.#referrersOf(plan.name).length > 0) this.#follow(plan, new Map(removed), seen)
  }

  /**
   * What a transaction is about to keep, beside what others have kept meanwhile.
   *
   * @throws TransactionConflict where another one took an owner away, ReferenceMissing for a deferrable reference
   */
  confirm(plan: TablePlan, changes: readonly RowChange[], read: SeenTables['read']): void {
    for (const reference of plan.references ?? []) {
      if (changes.some(([, , after]) => hasNoOwner(reference, after, read))) throw unconfirmed(plan, reference)
    }
    const gone = changes.flatMap(([, before, after]) => (before === undefined || after !== undefined ? [] : [before]))
    if (gone.length === 0) return
    for (const { plan: other, reference } of this.#referrersOf(plan.name)) {
      if (referring(read(other.name), reference, gone).length > 0) throw unconfirmed(other, reference)
    }
  }

  #follow(plan: TablePlan, removed: ReadonlyMap<string, Row>, seen: SeenTables): void {
    const effects = new Effects(seen.inTransaction)
    effects.remove(plan.name, [...removed])
    let level: readonly Removed[] = [[plan.name, [...removed.values()]]]
    while (level.length > 0) {
      level = level.flatMap(([table, owners]) =>
        this.#referrersOf(table).flatMap((referrer): Removed[] => {
          const children = referring(seen.read(referrer.plan.name), referrer.reference, owners)
          const doomed = effects.add(referrer, children)
          return doomed.length === 0 ? [] : [[referrer.plan.name, doomed]]
        })
      )
    }
    effects.check()
    apply(effects.tables, seen)
  }

  #referrersOf(table: string): readonly Referrer[] {
    return this.#referrers.get(table) ?? NONE
  }
}

/** What the deletion of rows comes to, in all tables. */
class Effects {
  readonly #tables = new Map<string, TableEffects>()
  readonly #refusing: (readonly [referrer: Referrer, children: Keyed])[] = []
  readonly #inTransaction: boolean

  constructor(inTransaction: boolean) {
    this.#inTransaction = inTransaction
  }

  get tables(): readonly (readonly [table: string, effects: TableEffects])[] {
    return [...this.#tables]
  }

  remove(table: string, rows: Keyed): void {
    for (const [key, row] of rows) this.#of(table).removed.set(key, row)
  }

  /** @returns those that are removed as well */
  add(referrer: Referrer, children: Keyed): readonly object[] {
    const { plan, reference } = referrer
    const { removed, nulled } = this.#of(plan.name)
    if (reference.onDelete === 'cascade') {
      const doomed = children.filter(([key]) => !removed.has(key))
      this.remove(plan.name, doomed)
      return doomed.map(([, row]) => row)
    }
    if (reference.onDelete === 'setNull') {
      for (const [key, row] of children) nulled.set(key, { ...(nulled.get(key) ?? row), [reference.column]: null })
    } else if (!(this.#inTransaction && reference.deferrable === true)) this.#refusing.push([referrer, children])
    return []
  }

  /** @throws ReferencedRow where a row that stays refers to one that goes */
  check(): void {
    for (const [{ plan, reference }, children] of this.#refusing) {
      const { removed } = this.#of(plan.name)
      if (children.every(([key]) => removed.has(key))) continue
      throw new ReferencedRow(recordOf(plan), relationOf(reference))
    }
  }

  #of(table: string): TableEffects {
    const known = this.#tables.get(table) ?? { removed: new Map(), nulled: new Map() }
    this.#tables.set(table, known)
    return known
  }
}

/** Nested, so that a table that refuses undoes those before it. */
function apply(
  [first, ...others]: readonly (readonly [table: string, effects: TableEffects])[],
  seen: SeenTables
): void {
  if (first === undefined) return
  const [table, { removed, nulled }] = first
  const rows = seen.write(table)
  rows.atomically(() => {
    for (const key of removed.keys()) rows.remove(key)
    for (const [key, row] of nulled) if (!removed.has(key)) rows.replace(row)
    apply(others, seen)
  })
}

function isChanged({ column, within }: ReferencePlan, before: object | undefined, after: object | undefined): boolean {
  const differs = (name: string) => (before as Values | undefined)?.[name] !== (after as Values | undefined)?.[name]
  return differs(column) || (within !== undefined && differs(within))
}

function hasNoOwner(
  { column, table, key, within }: ReferencePlan,
  row: object | undefined,
  read: SeenTables['read']
): boolean {
  const value = (row as Values | undefined)?.[column] ?? null
  if (value === null) return false
  const owner = read(table)?.byValue(key, value as ConditionValue) as Values | undefined
  return owner === undefined || (within !== undefined && owner[within] !== (row as Values)[within])
}

/** The rows that refer to one of these. */
function referring(rows: MemoryRows | undefined, { column, key }: ReferencePlan, owners: readonly object[]): Keyed {
  if (rows === undefined) return []
  const held = new Set(owners.map((owner) => (owner as Values)[key]))
  return rows
    .matches([])
    .filter((row) => held.has((row as Values)[column]))
    .map((row) => [rows.keyText(row), row])
}

function unconfirmed(plan: TablePlan, { column, deferrable }: ReferencePlan): Error {
  return deferrable === true ? new ReferenceMissing(recordOf(plan), column) : new TransactionConflict()
}
