/** An entity as the admin plane shows it: its columns and relations. Pure. */
import type { CompiledEntity, CompiledField, CompiledRelation } from '../entity/compiled-entity.ts'
import { idField } from '../entity/field-of.ts'

export interface EntityView {
  readonly name: string
  readonly connector: string
  readonly module: string | null
  readonly columns: readonly ColumnView[]
  readonly relations: readonly RelationView[]
}

interface ColumnView {
  readonly name: string
  /** `string`, or `string[]` of a list. */
  readonly type: string
  readonly primaryKey: boolean
  readonly nullable: boolean
  readonly unique: boolean
}

interface RelationView {
  readonly type: string
  readonly target: string
  /** The property that `relations` loads. */
  readonly field: string
  /** The reference field: on this entity, or for `one-to-many` as `Target.field`. */
  readonly foreignKey: string
}

export function entityView(entity: CompiledEntity, connector: string): EntityView {
  const { name, module, fields, relations } = entity
  return {
    name,
    connector,
    module,
    columns: [columnView(idField), ...[...fields.values()].map(columnView)],
    relations: [...relations.values()].map(relationView)
  }
}

function columnView({ name, type, array, nullable, unique }: CompiledField): ColumnView {
  return { name, type: array ? `${type}[]` : type, primaryKey: name === 'id', nullable, unique }
}

function relationView({ name, type, target, field, mappedBy }: CompiledRelation): RelationView {
  return { type, target, field: name, foreignKey: mappedBy === null ? field : `${target}.${field}` }
}
