/** Versions of an entity whose rows are named by two fields, of which one gets another name. */
import type { EntityDefinition, FieldDefinition } from '../entities/entity-definition.ts'

type Pair = readonly [EntityDefinition, EntityDefinition]

const PART = { keyPart: { type: 'string' } } as const

export function withKeys([first, second]: Pair): Pair {
  return [
    keyed(first, { ...PART, keyPlace: { type: 'integer' } }),
    keyed(second, { ...PART, keySpot: { type: 'integer', was: 'keyPlace' } })
  ]
}

/** In the order of the rows, and never the same. */
export function keyOfRow(row: number, { type }: FieldDefinition): string | number {
  return type === 'integer' ? 7 - row : `part ${row}`
}

/** Without what goes with no key: lists and search. */
function keyed({ search: _, ...given }: EntityDefinition, parts: EntityDefinition['schema']): EntityDefinition {
  const plain = Object.entries(given.schema).map(([name, { array: _array, ...field }]) => [name, field] as const)
  return {
    ...given,
    key: Object.keys(parts),
    schema: { ...Object.fromEntries(plain), ...parts },
    indexes: (given.indexes ?? []).filter(({ method }) => method === undefined)
  }
}
