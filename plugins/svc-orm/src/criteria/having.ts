/**
 * Criteria of groups, by the names of what they share and of their measures: read as criteria of an entity whose fields
 * these are. Pure.
 */
import type { Condition, Grouping, IdForm, Measure } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { InvalidFindOptions, UnknownCriteriaField } from '../errors.ts'
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import { floatType } from '../fields/float.ts'
import { stringType } from '../fields/string.ts'
import type { Criterion } from './criteria.ts'
import { fieldOf } from './entity-field.ts'
import { parseCriteria } from './parse-criteria.ts'

/** Of groups: each name takes what a field with such values takes. */
export type Having<Group> = { readonly [Name in keyof Group]?: Criterion<Group[Name]> } & {
  readonly $and?: readonly Having<Group>[]
  readonly $or?: readonly Having<Group>[]
  readonly $not?: Having<Group>
}

/** @throws UnknownCriteriaField, InvalidCriteria, InvalidFindOptions */
export function readHaving(
  entity: CompiledEntity,
  given: unknown,
  { by, parts = {}, measures }: Grouping,
  reached: ReadonlyMap<string, CompiledField>,
  ids: IdForm
): readonly Condition[] {
  const shared = by.map((name) => {
    const field = reached.get(name)
    if (field !== undefined) return { ...field, name, nullable: true }
    return Object.hasOwn(parts, name) ? typed(name, stringType) : fieldOf(entity, name)
  })
  const measured = Object.entries(measures).map(([name, measure]) => measuredField(entity, name, measure))
  const fields = new Map([...shared, ...measured].map((field) => [field.name, field]))
  const { relations: _, ...rest } = entity
  const conditions = parseCriteria({ ...rest, name: 'the groups', fields, relations: new Map() }, given, ids)
  if (conditions.length === 0) throw new InvalidFindOptions('having', 'criteria that are not empty')
  if (comparesFields(conditions)) throw new InvalidFindOptions('having', 'values, and no names of others ($field)')
  const unknown = namesOf(conditions).find((name) => !fields.has(name))
  if (unknown === undefined) return conditions
  throw new UnknownCriteriaField(unknown, 'the groups', [...fields.keys()].join(', '))
}

function measuredField(entity: CompiledEntity, name: string, measure: Measure): CompiledField {
  if (measure.of === 'count' || measure.of === 'countDistinct') return typed(name, floatType)
  const field = fieldOf(entity, measure.column)
  const isExact = field.fieldType.storage === 'bigint'
  if (measure.of === 'avg') return typed(name, isExact ? inUnits(field.scale ?? 0) : floatType)
  return measure.of === 'sum' && !isExact ? typed(name, floatType) : { ...field, name }
}

function typed(name: string, fieldType: FieldTypeDefinition): CompiledField {
  const none = { array: false, nullable: true, unique: false, default: undefined, maxLength: null, managed: false }
  return { ...none, name, type: fieldType.name, fieldType }
}

/** An average of exact numbers, which columns have in units. */
function inUnits(scale: number): FieldTypeDefinition {
  return {
    ...floatType,
    read: (given) => {
      const value = floatType.read(typeof given === 'string' ? Number(given) : given, {})
      return value === undefined ? undefined : (value as number) * 10 ** scale
    }
  }
}

function comparesFields(conditions: readonly Condition[]): boolean {
  return conditions.some((condition) => {
    if (condition.operator === 'any') return condition.of.some(comparesFields)
    return condition.operator === 'fields' || (condition.operator === 'not' && comparesFields(condition.of))
  })
}

function namesOf(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((condition) => {
    if (condition.operator === 'any') return condition.of.flatMap(namesOf)
    if (condition.operator === 'not') return namesOf(condition.of)
    return 'field' in condition ? [condition.field] : []
  })
}
