/** Which columns of which tables are sealed, and whether their rows have the hashes that searches need. */
import type { Condition, Table, TablePlan } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { hashColumn } from '../entities/hash-column.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { UnsealedRows } from '../errors.ts'
import type { Sealing } from './sealing.ts'

export function isSearchable({ sealed }: CompiledField): boolean {
  return sealed === 'searchable'
}

export function hasSealed({ fields }: CompiledEntity): boolean {
  return [...fields.values()].some(({ sealed }) => sealed !== undefined)
}

/** Runs work that sees the rows of every scope. */
type Across = <T>(work: () => T) => T

/** The sealed fields of one entity. */
export class SealedEntity {
  readonly name: string
  readonly fields: ReadonlyMap<string, CompiledField>
  /** Columns of hashes, by field. */
  readonly hashes: ReadonlyMap<string, string>
  /** As the database has it. */
  readonly stored: Table<AnyRow>
  readonly #across: Across
  /** Fields of which every row is known to have a hash. */
  readonly #whole = new Set<string>()

  constructor(entity: CompiledEntity, stored: Table<AnyRow>, across: Across) {
    const sealed = [...entity.fields].filter(([, field]) => field.sealed !== undefined)
    this.name = entity.name
    this.fields = new Map(sealed)
    this.hashes = new Map(
      sealed.filter(([, field]) => isSearchable(field)).map(([name]): [string, string] => [name, hashColumn(name)])
    )
    this.stored = stored
    this.#across = across
  }

  /** Rows without a hash would not be found: a search waits for them to be sealed. @throws UnsealedRows (503) */
  async requireHashes(field: string): Promise<void> {
    if (this.#whole.has(field)) return
    const unhashed: readonly Condition[] = [
      { field: hashColumn(field), operator: 'null', value: true },
      { field, operator: 'null', value: false }
    ]
    const waiting = await this.#across(() => this.stored.exists(unhashed))
    if (waiting) throw new UnsealedRows(this.name, field)
    this.#whole.add(field)
  }
}

/** Those of a connector, by the plans of their tables. */
export interface SealedEntities {
  readonly sealing: Sealing
  readonly across: Across
  readonly byPlan: Map<TablePlan, SealedEntity>
}

/** Adds an entity. @returns `null` where it has no sealed field */
export function addSealed(
  { byPlan, across }: SealedEntities,
  entity: CompiledEntity,
  stored: Table<AnyRow>
): SealedEntity | null {
  if (!hasSealed(entity)) return null
  const sealed = new SealedEntity(entity, stored, across)
  byPlan.set(entityPlan(entity), sealed)
  return sealed
}
