/** The rows of an entity as types: `RowOf` what is read, `NewOf` what `create` takes. */
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import type { FieldTypes } from '../fields/field-types.ts'
import type { EntityDefinition, FieldDefinition, RelationDefinition } from './entity-definition.ts'

/** A row of any entity: an id, and fields by name. */
export interface AnyRow {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: the fields of an entity that is known by name only
  [field: string]: any
}

/**
 * Entities by name, for the types of rows that relations load. An application adds its own, and nothing changes at run
 * time: `declare module 'svc-orm' { interface EntityTypes { Author: typeof Author } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to
export interface EntityTypes {}

/** A row loaded through a relation, of an entity that `EntityTypes` does not name. */
export interface RelatedRow {
  readonly id: string
  readonly [field: string]: unknown
}

/** Of an `enum` the values that it names. */
type Item<F extends FieldDefinition> = F extends {
  readonly type: 'enum'
  readonly values: readonly (infer Value extends string)[]
}
  ? Value
  : ValueOf<F['type']>

/** The type of a value in rows. */
type ValueOf<Type> = Type extends keyof FieldTypes
  ? FieldTypes[Type]
  : Type extends FieldTypeDefinition<infer Value, unknown>
    ? Value
    : never

type Held<F extends FieldDefinition> = F extends { readonly array: true } ? Item<F>[] : Item<F>

type Read<F extends FieldDefinition> = F extends { readonly nullable: true } ? Held<F> | null : Held<F>

/** The type of a given value: a date as `Date` or ISO 8601 text, an exact number as any number, bytes also as base64. */
type Given<F extends FieldDefinition> =
  | (F extends { readonly type: 'bigint' | 'decimal' } ? number | bigint : never)
  | (F extends { readonly type: 'bytes' } ? string : never)
  | (F extends { readonly type: FieldTypeDefinition<unknown, infer Own> } ? Own : never)
  | (F extends { readonly type: 'date' }
      ? F extends { readonly array: true }
        ? readonly (Date | string)[]
        : Date | string
      : unknown extends Held<F>
        ? unknown
        : Readonly<Held<F>>)
  | (F extends { readonly nullable: true } ? null : never)

type Relations<D extends EntityDefinition> =
  D['relations'] extends Readonly<Record<string, RelationDefinition>> ? D['relations'] : Record<never, never>

type ReferenceName<Name, R> = R extends { readonly type: 'one-to-many' }
  ? never
  : R extends { readonly field: infer Field extends string }
    ? Field
    : Name extends string
      ? `${Name}Id`
      : never

type Reference<R> = R extends { readonly nullable: true } ? string | null : string

type References<D extends EntityDefinition> = {
  [Name in keyof Relations<D> as ReferenceName<Name, Relations<D>[Name]>]: Reference<Relations<D>[Name]>
}

/** With relations of its own, where they are asked for. */
type Related<R> = R extends { readonly target: infer Target extends keyof EntityTypes }
  ? EntityTypes[Target] extends EntityDefinition
    ? RowOf<EntityTypes[Target]>
    : RelatedRow
  : RelatedRow

type Loaded<D extends EntityDefinition> = {
  [Name in keyof Relations<D>]?: Relations<D>[Name] extends { readonly type: 'one-to-many' }
    ? Related<Relations<D>[Name]>[]
    : Related<Relations<D>[Name]> | null
}

/** That of the scope. */
type ScopeField<D extends EntityDefinition, Value> = D extends { readonly scope: infer Scope extends string }
  ? { [Name in `${Scope}Id`]: Value }
  : Record<never, never>

/** Fields that the repository writes. */
type Managed<D extends EntityDefinition> = ScopeField<D, string> &
  (D extends { readonly timestamps: true } ? { createdAt: Date; updatedAt: Date } : Record<never, never>) &
  (D extends { readonly softDelete: true } ? { deletedAt: Date | null } : Record<never, never>) &
  (D extends { readonly version: true } ? { version: number } : Record<never, never>)

/** The fields that the code uses. */
type Fields<D extends EntityDefinition> = {
  [K in keyof D['schema'] as D['schema'][K] extends { readonly retired: true } ? never : K]: D['schema'][K]
}

type Flat<T> = { [K in keyof T]: T[K] }

/** A row without relations. It has every field; a field without a value is null. */
type OwnFields<D extends EntityDefinition> = Flat<
  { id: string } & { -readonly [K in keyof Fields<D>]: Read<Fields<D>[K]> } & References<D> & Managed<D>
>

/**
 * A row as a find returns it. Relations are there only if the find asks for them. Not of `Flat`: rows of two entities may
 * refer to each other, and declarations of an application then need a name that it can import.
 */
export type RowOf<D extends EntityDefinition> = {
  [K in keyof (OwnFields<D> & Loaded<D>)]: (OwnFields<D> & Loaded<D>)[K]
}

type OptionalField<F> = F extends { readonly nullable: true }
  ? true
  : F extends { readonly default: unknown }
    ? true
    : false

/** The values of a new row. Fields with a default and nullable fields are optional. */
export type NewOf<D extends EntityDefinition> = Flat<
  { id?: string } & Partial<ScopeField<D, string>> & {
      -readonly [K in keyof Fields<D> as OptionalField<Fields<D>[K]> extends true ? never : K]: Given<Fields<D>[K]>
    } & {
      -readonly [K in keyof Fields<D> as OptionalField<Fields<D>[K]> extends true ? K : never]?: Given<Fields<D>[K]>
    } & {
      [Name in keyof Relations<D> as Relations<D>[Name] extends { readonly nullable: true }
        ? never
        : ReferenceName<Name, Relations<D>[Name]>]: string
    } & {
      [Name in keyof Relations<D> as Relations<D>[Name] extends { readonly nullable: true }
        ? ReferenceName<Name, Relations<D>[Name]>
        : never]?: string | null
    }
>

/** Fields with `hidden`. Types do not know fields that are hidden by their name alone. */
export type HiddenOf<D extends EntityDefinition> = {
  [K in keyof D['schema']]: D['schema'][K] extends { readonly hidden: true | 'write-only' } ? K : never
}[keyof D['schema']]

/** A plain value of a key: a moment may be given as text. */
type KeyValue<D extends EntityDefinition, Name> = Name extends keyof OwnFields<D>
  ? NonNullable<OwnFields<D>[Name]> extends Date
    ? Date | string
    : NonNullable<OwnFields<D>[Name]>
  : never

type UniqueField<D extends EntityDefinition> =
  | {
      [K in keyof D['schema']]: D['schema'][K] extends { readonly unique: true | 'present' } ? K : never
    }[keyof D['schema']]
  | {
      [K in keyof Relations<D>]: Relations<D>[K] extends { readonly type: 'one-to-one' }
        ? ReferenceName<K, Relations<D>[K]>
        : never
    }[keyof Relations<D>]

type UniqueIndexFields<D extends EntityDefinition> = D extends { readonly indexes: readonly (infer Index)[] }
  ? Index extends { readonly unique: true | 'present'; readonly fields: readonly (infer Field extends string)[] }
    ? { readonly [Name in Field]: KeyValue<D, Name> }
    : never
  : never

/** Of a key of several fields. */
type CompositeKeyFields<D extends EntityDefinition> = D extends
  | { readonly key: readonly (infer Field extends string)[] }
  | { readonly existing: { readonly key: readonly (infer Field extends string)[] } }
  ? { readonly [Name in Field]: KeyValue<D, Name> }
  : never

/** A unique key, for `upsert`: `id`, a unique field, or the fields of a unique index or of a key. */
export type KeyOf<D extends EntityDefinition> =
  | { readonly id: string }
  | { [Name in UniqueField<D>]: { readonly [Only in Name]: KeyValue<D, Name> } }[UniqueField<D>]
  | UniqueIndexFields<D>
  | CompositeKeyFields<D>
