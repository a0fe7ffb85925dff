/** The rows that everybody sees. A transaction adds its changes all at once, unless another change came first. */
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { TransactionConflict, UnknownEntity } from '../errors.ts'
import type { MemoryTables } from './memory-gateway.ts'
import { MemoryTable } from './memory-table.ts'

export class CommittedTables implements MemoryTables {
  readonly #tables: ReadonlyMap<string, MemoryTable>

  constructor(entities: readonly CompiledEntity[]) {
    this.#tables = new Map(entities.map((entity) => [entity.name, new MemoryTable(entity)]))
  }

  table(entity: string): MemoryTable {
    const table = this.#tables.get(entity)
    if (table === undefined) throw new UnknownEntity(entity)
    return table
  }

  /** @param changed copies of tables, by entity @throws TransactionConflict, UniqueViolation; then nothing is changed */
  commit(changed: ReadonlyMap<string, MemoryTable>): void {
    const [first, ...others] = changed
    if (first === undefined) return
    const [entity, copy] = first
    const table = this.table(entity)
    // Nested, so that a table that refuses undoes those before it.
    table.atomically(() => {
      apply(table, copy)
      this.commit(new Map(others))
    })
  }
}

function apply(table: MemoryTable, copy: MemoryTable): void {
  const changes = [...copy.changes()]
  if (changes.some(([id, { before }]) => table.get(id) !== before)) throw new TransactionConflict()
  // Removed first, so that rows of one transaction may swap unique values.
  for (const [id] of changes) table.remove(id)
  for (const [, { after }] of changes) if (after !== undefined) table.insert(after)
}
