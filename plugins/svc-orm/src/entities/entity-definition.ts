/**
 * The definition of an entity: plain data, the same for every driver. The boot checks all definitions and reports all
 * mistakes together.
 */

import type { IndexMethod, ReferenceRule } from 'svc-stores/table'
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import type { FieldType } from '../fields/field-types.ts'
import type { JsonScalar } from '../fields/json.ts'

/**
 * Rules for a value besides its type; with `array`, for each item. Every write is checked before its statement, the
 * same way on every database. Existing rows are not checked.
 */
export interface FieldCheck {
  /** The least and the greatest allowed value. Text for `date` and `day`, else a number or its text. */
  readonly min?: number | string
  readonly max?: number | string
  /** For `string` and `text`, in code points. */
  readonly minLength?: number
  /**
   * For `string` and `text`: a regular expression with the flag `u`, which matches anywhere in the value unless
   * anchored.
   */
  readonly pattern?: string
}

export type SealedValue = boolean | 'searchable'

export type HiddenField = boolean | 'write-only'

/** One field of an entity: its type, and what its values may be. */
export interface FieldDefinition {
  /** A name, or a type of your own, as `defineFieldType` returns it. */
  readonly type: FieldType | FieldTypeDefinition
  /** A list of scalars; a plain value as criterion then means membership. Not for `json` and `bytes`. */
  readonly array?: boolean
  /** Default `false`: a new row needs a value or a default. */
  readonly nullable?: boolean
  /**
   * No two rows have the same value; several rows may have null. `present`, with `softDelete`: deleted rows do not count.
   * Not for `json`, `bytes` and `array`.
   */
  readonly unique?: boolean | 'present'
  /** The value of a new row that gives none. Not for `array` and `bytes`. */
  readonly default?: JsonScalar
  /** For `string` and `text` in code points, with `array` of each item; for `bytes` in bytes. */
  readonly maxLength?: number
  /**
   * For `decimal` and `money`: the number of decimals, 0 to 18. All digits of a `decimal` together must fit 64 bits, about
   * 18 digits; `money` takes 15 digits before its decimals.
   */
  readonly scale?: number
  /** For `enum`: the allowed values. */
  readonly values?: readonly string[]
  readonly check?: FieldCheck
  /** For `json`: a JSON Schema (draft 7) that a value must match when it is written. */
  readonly schema?: Readonly<Record<string, unknown>>
  /**
   * `true`: generated responses, filters, orders and documents omit the field, and generated bodies do not accept it.
   * `write-only`: bodies accept it. Repositories always read and write it. Default: `true` if the name suggests a
   * secret (`isSecretField` of svc-kernel), such as `passwordHash`.
   */
  readonly hidden?: HiddenField
  /**
   * The value is encrypted in the database, with `encryptionKey` of svc-orm; rows have it as it was given. Criteria can
   * ask for null only, with `searchable` also for equal values, by a keyed hash in a column of its own. It cannot be
   * ordered, grouped or summed. Default `false`.
   */
  readonly sealed?: SealedValue
  /**
   * The previous name: `npx svc orm:diff` then renames the column and keeps its values. It has no effect after that
   * migration.
   */
  readonly was?: string
  /**
   * The field is removed from the code but not from the database: rows do not have it, and its nullable column stays
   * with its values, so instances of the previous version can still write it. Not with `unique` and `default`.
   */
  readonly retired?: boolean
}

/** `many-to-many` is not supported: declare an entity for the pair. */
export type RelationType = 'one-to-many' | 'many-to-one' | 'one-to-one'

/**
 * What becomes of the rows that refer to a row when it is deleted.
 *
 * - `restrict`: the deletion is refused with `SVC_ORM_REFERENCED` (409)
 * - `cascade`: they are deleted with it
 * - `setNull`: their reference becomes null
 * - `none`: nothing; the reference is not checked and may name a missing row, which loads as `null`
 */
export type OnDelete = ReferenceRule | 'none'

/** A relation adds its reference field to the entity. It is loaded only if `relations` asks for it. */
export interface RelationDefinition {
  readonly type: RelationType
  /** Name of the target entity, on the same connector. */
  readonly target: string
  /** For `many-to-one` and `one-to-one`: the reference field on this entity. Default `<relation>Id`. */
  readonly field?: string
  /** For `one-to-many`: the `many-to-one` relation of the target that points back here. */
  readonly mappedBy?: string
  /** Whether the reference may be null. Default `false`. */
  readonly nullable?: boolean
  /**
   * For `many-to-one` and `one-to-one`: what happens to rows of this entity when the row they name is deleted. Default
   * `restrict`; `none` if one of the two entities maps an existing table. `setNull` needs `nullable`.
   */
  readonly onDelete?: OnDelete
  /** The reference is checked at the commit of a transaction instead of after each statement. Default `false`. */
  readonly deferrable?: boolean
  /** The previous name of the reference field, as for a field. */
  readonly was?: string
}

/** What a field holds in the rows of an index: a value, null, or operators that all hold. */
export type IndexCriterion =
  | JsonScalar
  | {
      readonly $eq?: JsonScalar
      readonly $ne?: null
      readonly $gt?: string | number
      readonly $gte?: string | number
      readonly $lt?: string | number
      readonly $lte?: string | number
      readonly $null?: boolean
    }

/** Fields are ANDed. A moment is ISO 8601 text. */
export type IndexCriteria = Readonly<Record<string, IndexCriterion>>

/** A field of an index. */
export interface IndexField {
  readonly field: string
  /**
   * Text is compared in any case, in every alphabet: with `unique`, `Ada` and `ADA` are equal, and the criterion `$ieq` uses
   * the index. Adds a column `<field>Folded`, which rows do not contain. For text fields. Default `false`.
   */
  readonly fold?: boolean
}

/** An index over fields of an entity. */
export interface IndexDefinition {
  readonly fields: readonly (string | IndexField)[]
  /**
   * No two rows have the same values; several rows may have null in one of the fields. `present`, with `softDelete`:
   * deleted rows do not count.
   */
  readonly unique?: boolean | 'present'
  /** The index contains only rows that match; with `unique`, other rows do not count. Default: all rows. */
  readonly where?: IndexCriteria
  /**
   * For one field. `gin`, for a list or `json`: finds items. `trigram`, for text: finds parts by `$contains`, `$startsWith`
   * and `$like`. On PostgreSQL; documents index the items of a list; other databases read every row. Default: by order.
   */
  readonly method?: Exclude<IndexMethod, 'words'>
}

/** A text field that `$search` looks into. */
export interface SearchField {
  readonly field: string
  /** How much a word in this field counts for `$rank`, beside the other fields: 0.01 to 100. Default 1. */
  readonly weight?: number
}

/**
 * A table, a view or a collection that exists already and that other software owns: svc never creates, changes or
 * drops it.
 */
export interface ExistingTable {
  readonly name: string
  /**
   * Its columns by field, including `id` and references, if the names differ. For documents, the column of `id` is
   * `_id` by default.
   */
  readonly columns?: Readonly<Record<string, string>>
  /**
   * The type of its key. Default: ids as the database creates them for other entities. In rows, ids are always text.
   */
  readonly id?: IdType
  /**
   * For a key of several columns: its fields, in order, two or more. Rows have an `id` that is made of them, such as
   * `1042,3`, and the table has no column for it. Not with `id`, and not on documents.
   */
  readonly key?: readonly string[]
  /** Default `false`: every write is refused. */
  readonly writable?: boolean
}

/** For keys that the database does not create. */
export type IdType = 'integer' | 'text'

/** One kind of rows: fields, relations and indexes. A mistake in it ends the boot. */
export interface EntityDefinition {
  /** Unique on its connector: letters, digits and `_`, such as `Article`. */
  readonly name: string
  /** The previous name, as for a field. */
  readonly was?: string
  /** The part of the application that it belongs to, for the admin API. */
  readonly module?: string
  /** The fields besides `id`, which every row has. */
  readonly schema: Readonly<Record<string, FieldDefinition>>
  readonly relations?: Readonly<Record<string, RelationDefinition>>
  readonly indexes?: readonly IndexDefinition[]
  /**
   * One to four text fields for the criterion `$search`, which finds rows by their words. Adds a column `<field>Words` for
   * each, which rows do not contain. See docs/guides/search.md.
   */
  readonly search?: readonly (string | SearchField)[]
  /**
   * Each row belongs to one, such as `'organization'`: adds the field `organizationId`, and every call sees the rows of
   * its own scope only. See docs/guides/row-scope.md.
   */
  readonly scope?: string
  /**
   * The many-to-one relation to the row above, such as `'parent'`: rows are trees, which `$within`, `$pathTo`, `descendants`
   * and `ancestors` ask for. A write that would put a row below itself is refused. See docs/guides/trees.md.
   */
  readonly tree?: string
  /** Adds `createdAt` and `updatedAt`; values given for them are ignored. Default `false`. */
  readonly timestamps?: boolean
  /** A deleted row stays, with a time in `deletedAt`; reads omit it unless they ask for it. Default `false`. */
  readonly softDelete?: boolean
  /**
   * Adds `version`, which every change increases by 1. A change with an outdated `version` is refused. Default
   * `false`.
   */
  readonly version?: boolean
  /**
   * The fields that name a row, in order, two or more, such as `['studentId', 'courseId']` for the entity of a pair. Rows
   * have an `id` that is made of them, and the table has no column for it. Not with `existing`, `scope`, `search` or
   * `tree`. Default: rows get an `id`.
   */
  readonly key?: readonly string[]
  readonly existing?: ExistingTable
  /** Add hooks with `withHooks`. */
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

/** Hooks as a definition stores them; `withHooks` knows their types. */
export type DeclaredHooks = { readonly [Name in HookName]?: ((...given: never[]) => void | Promise<void>) | undefined }

/** Returns the definition with its exact type, so that `RowOf` knows its rows. */
export function defineEntity<const D extends EntityDefinition>(definition: D): D {
  return definition
}
