/** The fields of an entity as JSON schemas: of a row that is answered, of values that are taken, of filters. Pure. */
import { type CompiledField, isShown } from '../entities/compiled-entity.ts'
import { itemSchema } from '../entities/item-schema.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Whatever JSON has, but for null. */
const ANY_JSON = ['object', 'array', 'string', 'number', 'boolean']

/** A value of the field; a default is shown, and filled in by the repository. */
export function valueSchema(field: CompiledField): JsonSchema {
  const { array, nullable, managed } = field
  // The repository asks its own schema: within this one its defaults and references would mean something else.
  const item = field.type === 'json' ? { type: ANY_JSON } : itemSchema(field)
  const held: JsonSchema = array ? { type: 'array', items: item } : item
  return {
    ...(nullable ? orNull(held) : held),
    ...(field.default === undefined || managed || !isShown(field) ? {} : { default: field.default }),
    ...(managed ? { readOnly: true } : {}),
    ...(isShown(field) ? {} : { writeOnly: true })
  }
}

/**
 * The field of a row that is answered. A row may lack what its entity requires by now: a serialiser that knows no null
 * there would make up a value, an empty text or 0.
 */
export function answerSchema(field: CompiledField): JsonSchema {
  // Anything that JSON has: the serialiser would look into a type for what it knows of it.
  return field.type === 'json' ? {} : valueSchema({ ...field, nullable: field.name !== 'id', default: undefined })
}

/** A query parameter; of a list one of its items. `null` where nothing can be compared: json, bytes. */
export function filterSchema(field: CompiledField): JsonSchema | null {
  if (!field.fieldType.can.compare || field.sealed === true) return null
  const description = field.array ? `only rows whose ${field.name} contain it` : `only rows with this ${field.name}`
  return { ...field.fieldType.schema(field), description }
}

/** Whether rows can be listed in the order of the field. */
export function isSortable(field: CompiledField): boolean {
  return !field.array && field.sealed === undefined && field.fieldType.can.compare
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  return { ...schema, type: [type, 'null'].flat(), ...(Array.isArray(values) && { enum: [...values, null] }) }
}
