/** The columns of an entity: how each field is kept on an engine, and how a row is read from them. */
import type { CompiledEntity, FieldType, StoredRow } from 'svc-orm'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ColumnType } from '../schema/table-definition.ts'
import type { StoredRecord } from './statement-runner.ts'

const COLUMN_TYPES: Readonly<Record<FieldType, ColumnType>> = {
  string: 'text',
  text: 'text',
  id: 'text',
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  json: 'json'
}

export interface EntityColumn {
  /** Of the field and of the column. */
  readonly name: string
  /** Of the column: `json` for a list. */
  readonly type: ColumnType
  /** What a criterion compares with: of a list, the type of its items. */
  readonly item: ColumnType
  readonly nullable: boolean
  encode(value: unknown): unknown
  /** `null` where nothing has to be done. */
  readonly decode: ((stored: unknown) => unknown) | null
}

/** `id` first, then the fields in order of declaration. */
export function entityColumns(entity: CompiledEntity, engine: SqlEngine): readonly EntityColumn[] {
  const id: EntityColumn = {
    name: 'id',
    type: 'text',
    item: 'text',
    nullable: false,
    encode: (value) => value,
    decode: engine.decoder('text')
  }
  const fields = [...entity.fields.values()].map(({ name, type: fieldType, array, nullable }): EntityColumn => {
    const item = COLUMN_TYPES[fieldType]
    const type = array ? 'json' : item
    const decode = engine.decoder(type)
    return {
      name,
      type,
      item,
      nullable,
      encode: (value) => engine.encode(type, value),
      decode: array && item === 'date' ? (stored) => moments(decode === null ? stored : decode(stored)) : decode
    }
  })
  return [id, ...fields]
}

/** Reads rows as a driver answers them. `absent`: fields whose column is not there; they read as null. */
export function rowReader(
  columns: readonly EntityColumn[],
  absent: ReadonlySet<string>
): (stored: StoredRecord) => StoredRow {
  return (stored) => {
    const row: { id: string; [field: string]: unknown } = { id: '' }
    for (const { name, decode } of columns) {
      const value = absent.has(name) ? null : stored[name]
      row[name] = decode === null || value === null ? value : decode(value)
    }
    return row
  }
}

/** JSON has no moments: within a list they are kept as ISO 8601 text. */
function moments(list: unknown): unknown {
  return Array.isArray(list) ? list.map((item) => new Date(String(item))) : list
}
