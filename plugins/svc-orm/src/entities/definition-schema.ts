/** The form of an entity definition. What its parts say to each other is checked when it is compiled. */
import type { OptionsSchema } from 'svc-kernel/plugin'
import { fieldTypes } from '../fields/field-types.ts'

const name = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$',
  expected: 'a letter, then letters, digits and _, at most 63'
} as const

/** A name, or the name with how the index takes it. */
const indexField = {
  type: ['string', 'object'],
  pattern: name.pattern,
  expected: `${name.expected}; or { field, fold }`,
  additionalProperties: false,
  required: ['field'],
  properties: { field: name, fold: { type: 'boolean' } }
} as const

const indexFields = { type: 'array', minItems: 1, maxItems: 16, uniqueItems: true, items: indexField } as const

/** A name, or the name with how much it counts. */
const searchField = {
  type: ['string', 'object'],
  pattern: name.pattern,
  expected: `${name.expected}; or { field, weight }`,
  additionalProperties: false,
  required: ['field'],
  properties: { field: name, weight: { type: 'number', minimum: 0.01, maximum: 100 } }
} as const

const unique = { enum: [true, false, 'present'] } as const

const field = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: {
      enum: fieldTypes.map(({ name }) => name),
      expected: `${fieldTypes.map(({ name }) => name).join(' | ')}, or a type that defineFieldType returned`
    },
    array: { type: 'boolean' },
    nullable: { type: 'boolean' },
    unique,
    default: { type: ['string', 'number', 'boolean', 'null'] },
    maxLength: { type: 'integer', minimum: 1 },
    scale: { type: 'integer', minimum: 0, maximum: 18 },
    values: { type: 'array', minItems: 1, maxItems: 1000, uniqueItems: true, items: { type: 'string' } },
    check: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        min: { type: ['number', 'string'] },
        max: { type: ['number', 'string'] },
        minLength: { type: 'integer', minimum: 1 },
        pattern: { type: 'string', minLength: 1, maxLength: 1000 }
      }
    },
    schema: { type: 'object' },
    hidden: { enum: [true, false, 'write-only'] },
    sealed: { enum: [true, false, 'searchable'] },
    was: name,
    retired: { type: 'boolean' }
  }
} as const

/** As the database has it: in quotes, any name will do. */
const column = { type: 'string', minLength: 1, maxLength: 63, pattern: '^[^\\0"$.]+$' } as const

/** `many-to-many` is known here, so that its refusal can say what to do instead. */
const relation = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'target'],
  properties: {
    type: {
      enum: ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many'],
      expected: 'one-to-many | many-to-one | one-to-one'
    },
    target: name,
    field: name,
    mappedBy: name,
    nullable: { type: 'boolean' },
    onDelete: { enum: ['restrict', 'cascade', 'setNull', 'none'] },
    deferrable: { type: 'boolean' },
    was: name
  }
} as const

const key = { type: 'array', items: name, minItems: 2, uniqueItems: true } as const

export const definitionSchema: OptionsSchema = {
  $id: 'svc-orm/entity',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'schema'],
  properties: {
    name,
    was: name,
    module: { type: 'string', minLength: 1, maxLength: 100 },
    schema: { type: 'object', propertyNames: name, additionalProperties: field },
    relations: { type: 'object', propertyNames: name, additionalProperties: relation },
    indexes: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['fields'],
        properties: {
          fields: indexFields,
          unique,
          method: { enum: ['gin', 'trigram'] },
          where: {
            type: 'object',
            minProperties: 1,
            propertyNames: name,
            additionalProperties: { type: ['string', 'number', 'boolean', 'null', 'object'] }
          }
        }
      }
    },
    search: { type: 'array', minItems: 1, maxItems: 4, items: searchField },
    scope: {
      type: 'string',
      pattern: '^[a-z][A-Za-z0-9]{0,60}$',
      expected: 'a small letter, then letters and digits, at most 61'
    },
    tree: name,
    timestamps: { type: 'boolean' },
    softDelete: { type: 'boolean' },
    version: { type: 'boolean' },
    key,
    existing: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: column,
        columns: { type: 'object', propertyNames: name, additionalProperties: column },
        id: { enum: ['integer', 'text'] },
        key,
        writable: { type: 'boolean' }
      }
    }
  }
}
