/** What the admin plane shows of an entity: its columns with all that decides about their values, relations, indexes. Pure. */

import {
  type CompiledEntity,
  type CompiledField,
  type CompiledIndex,
  type CompiledRelation,
  isShown
} from '../entities/compiled-entity.ts'
import type { OnDelete } from '../entities/entity-definition.ts'
import { columnOf, isReadOnly } from '../entities/existing-table.ts'
import { shownIndexRows } from '../entities/index-criteria.ts'

interface EntityView {
  readonly name: string
  readonly connector: string
  readonly module: string | null
  /** What the database calls it. */
  readonly storedAs: string
  /** `existing`: the table is somebody else's. */
  readonly existing: boolean
  /** Writes are refused. */
  readonly readOnly: boolean
  /** Whose rows they are; absent without a scope. */
  readonly scope?: string
  /** The field with the id of the row above; absent where rows are no tree. */
  readonly tree?: string
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly version: boolean
  readonly columns: readonly ColumnView[]
  readonly relations: readonly RelationView[]
  /** The references of others to it, and its own to itself. */
  readonly referredBy: readonly ReferenceView[]
  readonly indexes: readonly IndexView[]
}

interface IndexView {
  readonly fields: readonly string[]
  readonly unique: boolean
  /** Those of its fields whose text it folds. */
  readonly folded?: readonly string[]
  /** Which rows it holds, in words; absent: all. */
  readonly where?: string
  /** Absent: by order. */
  readonly method?: string
}

interface ColumnView {
  readonly name: string
  /** What the database calls it, where that is another name. */
  readonly storedAs?: string
  /** `string`, or `string[]` of a list. */
  readonly type: string
  readonly primaryKey: boolean
  readonly nullable: boolean
  readonly unique: boolean
  /** Written by the repository alone. */
  readonly managed: boolean
  /** Generated answers, filters and orders leave it out; absent where they do not. */
  readonly hidden?: true
  /** The database has it encrypted; absent where it has not. */
  readonly sealed?: true | 'searchable'
  /** As JSON has it; absent where there is none, and of a hidden field. */
  readonly default?: unknown
  /** Absent where unbounded. */
  readonly maxLength?: number
  /** Of `decimal`: decimals of a value. */
  readonly scale?: number
  /** Of `enum`. */
  readonly values?: readonly string[]
  /** What a value must meet besides, in JSON Schema as far as that has words for it. */
  readonly check?: object
}

interface RelationView {
  readonly type: string
  readonly target: string
  /** The property that `relations` loads. */
  readonly field: string
  /** The reference field: on this entity, or for `one-to-many` as `Target.field`. */
  readonly foreignKey: string
  /** What becomes of rows of this entity when the row that they name is deleted; `null` of `one-to-many`. */
  readonly onDelete: OnDelete | null
  /** Checked at the commit. */
  readonly deferrable: boolean
}

interface ReferenceView {
  /** Name of the entity that holds the reference. */
  readonly entity: string
  readonly type: string
  /** The property of that entity that loads this one, and its reference field. */
  readonly field: string
  readonly foreignKey: string
}

/** @param all the entities of its connector */
export function entityView(
  entity: CompiledEntity,
  connector: string,
  storedAs: string,
  all: readonly CompiledEntity[]
): EntityView {
  const { name, module, fields, relations, indexes, timestamps, softDelete, version, existing } = entity
  const columns = [entity.id, ...fields.values()].map((field) => columnView(entity, field))
  return {
    name,
    connector,
    module,
    storedAs,
    existing: existing !== undefined,
    readOnly: isReadOnly(entity),
    ...(entity.scope !== undefined && { scope: entity.scope.name }),
    ...(entity.tree !== undefined && { tree: entity.tree.field }),
    timestamps,
    softDelete,
    version,
    columns,
    relations: [...relations.values()].map(relationView),
    referredBy: all.flatMap((other) => referencesTo(name, other)),
    indexes: [...indexes.map((index) => indexView(entity, index)), ...searchViews(entity)]
  }
}

function indexView(entity: CompiledEntity, { where, ...index }: CompiledIndex): IndexView {
  return { ...index, ...(where !== undefined && { where: shownIndexRows(entity, where) }) }
}

/** A relation that another one maps is no reference: the other is. */
function referencesTo(target: string, { name: entity, relations }: CompiledEntity): readonly ReferenceView[] {
  return [...relations.values()]
    .filter((relation) => relation.target === target && relation.mappedBy === null)
    .map(({ name, type, field }) => ({ entity, type, field: name, foreignKey: field }))
}

function columnView(entity: CompiledEntity, field: CompiledField): ColumnView {
  const column = columnOf(entity, field.name)
  const key = entity.id.key?.names ?? ['id']
  const { name, type, array, nullable, unique, managed, maxLength, scale, values, rule } = field
  return {
    name,
    ...(column !== name && { storedAs: column }),
    type: array ? `${type}[]` : type,
    primaryKey: key.includes(name),
    nullable,
    unique,
    managed,
    ...(!isShown(field) && { hidden: true }),
    ...(field.sealed !== undefined && { sealed: field.sealed }),
    ...(field.default !== undefined && isShown(field) && { default: field.default }),
    ...(maxLength !== null && { maxLength }),
    ...(scale !== undefined && field.fieldType.takes.includes('scale') && { scale }),
    ...(values !== undefined && { values }),
    ...(rule !== undefined && { check: rule.schema })
  }
}

function relationView({ name, type, target, field, mappedBy, reference }: CompiledRelation): RelationView {
  return {
    type,
    target,
    field: name,
    foreignKey: mappedBy === null ? field : `${target}.${field}`,
    onDelete: mappedBy === null ? (reference?.onDelete ?? 'none') : null,
    deferrable: reference?.deferrable ?? false
  }
}

/** What `$search` looks into, as the index that it is. */
function searchViews({ search }: CompiledEntity): readonly IndexView[] {
  return search === undefined ? [] : [{ fields: search.map(({ field }) => field), unique: false, method: 'words' }]
}
