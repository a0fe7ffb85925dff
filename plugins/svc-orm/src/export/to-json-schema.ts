/** The model as one JSON Schema (draft 2020-12): a definition per entity, of its rows as JSON has them, without hidden fields. Pure. */
import { type CompiledEntity, type CompiledField, isShown } from '../entities/compiled-entity.ts'
import { itemSchema } from '../entities/item-schema.ts'
import type { ExportedConnector } from './to-dbml.ts'

export function toJsonSchema(connectors: readonly ExportedConnector[]): string {
  const definitions = connectors.flatMap(({ name, entities }) =>
    entities.map((entity): [string, object] => [`${name}.${entity.name}`, rowSchema(entity, name)])
  )
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: Object.fromEntries(definitions)
  }
  return JSON.stringify(document, null, 2)
}

function rowSchema(entity: CompiledEntity, connector: string): object {
  const shown = [...entity.fields.values()].filter(isShown)
  const fields = shown.map((field): [string, object] => [field.name, fieldSchema(field)])
  const relations = [...entity.relations.values()].map(({ name, type, target }): [string, object] => {
    const related = { $ref: `#/$defs/${connector}.${target}` }
    const loaded = type === 'one-to-many' ? { type: 'array', items: related } : { anyOf: [related, { type: 'null' }] }
    return [name, loaded]
  })
  return {
    title: entity.name,
    ...(entity.module === null ? {} : { description: `of module ${entity.module}` }),
    type: 'object',
    properties: Object.fromEntries([['id', { type: 'string' }], ...fields, ...relations]),
    required: ['id', ...shown.map(({ name }) => name)],
    additionalProperties: false
  }
}

function fieldSchema(field: CompiledField): object {
  const { type, array, nullable } = field
  const scalar = itemSchema(field)
  const held = array ? { type: 'array', items: scalar } : scalar
  const schema = nullable && (type !== 'json' || field.rule !== undefined) ? { anyOf: [held, { type: 'null' }] } : held
  return field.default === undefined ? schema : { ...schema, default: field.default }
}
