/** An entity of svc-orm as a table: its plan, and its gateway. */
import type {
  CompiledEntity,
  Condition,
  EntityGateway,
  FieldType,
  ParsedChanges,
  Selection,
  StoredRow,
  Transaction
} from 'svc-orm'
import type { Change, ColumnType, Table, TablePlan } from 'svc-stores/table'

const COLUMN_TYPES: Readonly<Record<FieldType, ColumnType>> = {
  string: 'text',
  text: 'text',
  id: 'id',
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  json: 'json'
}

/** An index ends with `id`, as every order does: a page is then read from the index only. */
export function entityPlan({ name, table, fields, indexes, place }: CompiledEntity): TablePlan {
  const columns = [...fields.values()].map(({ name: column, type, array, nullable, default: preset }) => ({
    name: column,
    type: COLUMN_TYPES[type],
    ...(array && { list: true }),
    ...(nullable && { nullable }),
    ...(preset !== undefined && preset !== null && { default: preset })
  }))
  return {
    name: table,
    record: name,
    columns: [{ name: 'id', type: 'id' }, ...columns],
    indexes: indexes.map(({ fields: own, unique }) =>
      unique ? { columns: own, unique } : { columns: own.includes('id') ? own : [...own, 'id'] }
    ),
    place
  }
}

export class TableGateway implements EntityGateway {
  readonly #table: Table<StoredRow>

  constructor(table: Table<StoredRow>) {
    this.#table = table
  }

  select({ conditions, order, limit, offset, lock = false }: Selection): Promise<StoredRow[]> {
    return this.#table.find(conditions, {
      order,
      offset,
      lock,
      ...(limit !== null && { limit })
    })
  }

  insert(rows: readonly StoredRow[]): Promise<void> {
    return this.#table.insert(rows)
  }

  insertIfAbsent(row: StoredRow, key: readonly string[]): Promise<StoredRow> {
    return this.#table.insertIfAbsent(row, key)
  }

  updateOne(conditions: readonly Condition[], changes: ParsedChanges): Promise<StoredRow | null> {
    return this.#table.updateOne(conditions, changeOf(changes))
  }

  updateMany(conditions: readonly Condition[], changes: ParsedChanges): Promise<number> {
    return this.#table.update(conditions, changeOf(changes))
  }

  deleteOne(conditions: readonly Condition[]): Promise<StoredRow | null> {
    return this.#table.deleteOne(conditions)
  }

  deleteMany(conditions: readonly Condition[]): Promise<number> {
    return this.#table.delete(conditions)
  }

  count(conditions: readonly Condition[]): Promise<number> {
    return this.#table.count(conditions)
  }

  exists(conditions: readonly Condition[]): Promise<boolean> {
    return this.#table.exists(conditions)
  }

  within(tx: Transaction): EntityGateway {
    return new TableGateway(this.#table.within(tx))
  }
}

function changeOf(changes: ParsedChanges): Change<StoredRow> {
  const change: Record<string, object> = {}
  for (const part of ['set', 'max', 'min', 'add'] as const) {
    if (changes[part].size > 0) change[part] = Object.fromEntries(changes[part])
  }
  return change
}
