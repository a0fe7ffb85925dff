/**
 * How an entity is declared: plain data, the same for every driver. What it says
 * is checked when the application boots, all mistakes of all entities together.
 */

/** A value of JSON that is neither list nor object. */
export type JsonScalar = string | number | boolean | null

/** Free JSON, as a field of type `json` keeps it. */
export type JsonValue = JsonScalar | JsonValue[] | { [key: string]: JsonValue }

/**
 * `string` and `text` are both text (`text` is long text to generators and exports), `integer` is a safe integer,
 * `float` a finite number, `bigint` an integer of 64 bits, `decimal` an exact number with `scale` decimals, `date` a moment in milliseconds, `day` a day of the calendar without a time, `uuid` one of
 * RFC 9562, `enum` one of `values`, `json` JSON, free unless `schema` describes it, `bytes` what is no text, `id` the id of another row.
 */
export type FieldType =
  | 'string'
  | 'text'
  | 'integer'
  | 'float'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'day'
  | 'uuid'
  | 'enum'
  | 'json'
  | 'bytes'
  | 'id'

/**
 * What a value must meet beside its type; with `array` each item. Every write is checked before its statement, on every
 * database alike; rows that were there before stay as they are.
 */
export interface FieldCheck {
  /** The least and the greatest value, both allowed. Text for `date` and `day`, else a number, or its text. */
  readonly min?: number | string
  readonly max?: number | string
  /** Of `string` and `text`, in code points. */
  readonly minLength?: number
  /** Of `string` and `text`: a regular expression with the flag `u`, found anywhere in the value unless anchored. */
  readonly pattern?: string
}

export type HiddenField = boolean | 'write-only'

export interface FieldDefinition {
  readonly type: FieldType
  /** A list of scalars; a plain value as criterion then means membership. Not with `json` and `bytes`. */
  readonly array?: boolean
  /** Default `false`: a new row needs a value or a default. */
  readonly nullable?: boolean
  /** No two rows hold the same value; null never collides. Not with `json`, `bytes` and `array`. */
  readonly unique?: boolean
  /** Taken by a new row that gives no value. Not with `array` and `bytes`. */
  readonly default?: JsonScalar
  /** Of `string` and `text` in code points, with `array` of each item; of `bytes` in bytes. */
  readonly maxLength?: number
  /** Of `decimal`: how many decimals every value has, 0 to 18. All digits together are at most 18, or a little more: 64 bits. */
  readonly scale?: number
  /** Of `enum`: the values that it may hold. */
  readonly values?: readonly string[]
  readonly check?: FieldCheck
  /** Of `json`: a JSON Schema (draft 7) that a value must meet when it is written. */
  readonly schema?: Readonly<Record<string, unknown>>
  /**
   * `true`: generated answers, filters, orders and documents do not have the field, and generated bodies do not take it.
   * `write-only`: bodies take it. Repositories read and write it in any case. Default: `true` where the name says that it is
   * a secret (`isSecretField` of svc-kernel), as of `passwordHash`.
   */
  readonly hidden?: HiddenField
  /** Its name before: `svc orm:diff` then renames it, and keeps its values. May stay; says nothing any more once it is done. */
  readonly was?: string
  /**
   * Out of the code, and not yet out of the database: rows do not have it, and its column stays with its values, and may
   * be null. So instances of the version before go on writing it. Not with `unique` and `default`.
   */
  readonly retired?: boolean
}

/** `many-to-many` is refused when the entity is declared: use an entity of its own for the pair. */
export type RelationType = 'one-to-many' | 'many-to-one' | 'one-to-one'

/**
 * A relation is loaded only when `relations` asks for it. It adds its reference field to the entity, and no
 * constraint to the database: a reference whose row is gone loads as `null`, on every driver.
 */
export interface RelationDefinition {
  readonly type: RelationType
  /** Name of the other entity, on the same connector. */
  readonly target: string
  /** Of `many-to-one` and `one-to-one`: the reference field on this entity. Default `<relation>Id`. */
  readonly field?: string
  /** Of `one-to-many`: the `many-to-one` relation on the target that points back here. */
  readonly mappedBy?: string
  /** Whether the reference may be null. Default `false`. */
  readonly nullable?: boolean
  /** The name of the reference field before, as of a field. */
  readonly was?: string
}

export interface IndexDefinition {
  readonly fields: readonly string[]
  /** A row with null in one of the fields never collides. */
  readonly unique?: boolean
}

/** A table, a view or a collection that is there already, and belongs to somebody else: nothing ever makes, changes or drops it. */
export interface ExistingTable {
  readonly name: string
  /** Its columns by field, `id` and references among them, where the names differ. Among documents `id` is `_id` by default. */
  readonly columns?: Readonly<Record<string, string>>
  /** What its key holds. Default: ids as the database makes them for other entities. Rows carry text in any case. */
  readonly id?: IdType
  /** Default `false`: every write is refused. */
  readonly writable?: boolean
}

/** Of keys that are not the database's own. */
export type IdType = 'integer' | 'text'

export interface EntityDefinition {
  /** Unique on its connector: letters, digits and `_`, such as `Article`. */
  readonly name: string
  /** Its name before, as of a field. */
  readonly was?: string
  /** What part of the application it belongs to, for the admin plane. */
  readonly module?: string
  /** The fields besides `id`, which every row has. */
  readonly schema: Readonly<Record<string, FieldDefinition>>
  readonly relations?: Readonly<Record<string, RelationDefinition>>
  readonly indexes?: readonly IndexDefinition[]
  /** Keeps `createdAt` and `updatedAt`; values given for them are ignored. Default `false`. */
  readonly timestamps?: boolean
  /** A deleted row stays, with the moment in `deletedAt`, and is absent from whatever does not ask for it. Default `false`. */
  readonly softDelete?: boolean
  /** Keeps `version`, 1 more with each change: a change that carries one that is not the row's any more is refused. Default `false`. */
  readonly version?: boolean
  readonly existing?: ExistingTable
  /** Written with `withHooks`. */
  readonly hooks?: DeclaredHooks
}

export const HOOK_NAMES = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete'
] as const

export type HookName = (typeof HOOK_NAMES)[number]

/** Hooks as a definition carries them; `withHooks` knows their types. */
export type DeclaredHooks = { readonly [Name in HookName]?: ((...given: never[]) => void | Promise<void>) | undefined }

/** Gives the definition back with its exact type, so that `RowOf` knows its rows. */
export function defineEntity<const D extends EntityDefinition>(definition: D): D {
  return definition
}
