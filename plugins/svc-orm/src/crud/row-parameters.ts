/** The path parameters that name a row: `id`, or the fields of a key. Pure. */
import { object, text } from 'svc-kernel/schemas'
import type { CompiledField } from '../entities/compiled-entity.ts'
import { itemSchema } from '../entities/item-schema.ts'
import { UnnamedRow } from '../errors.ts'
import type { JsonSchema } from './field-schemas.ts'

/** @param key fields of the key; empty: rows have an id of their own */
export function rowParameters(key: readonly CompiledField[]): JsonSchema {
  return object(
    key.length === 0 ? { id: text } : Object.fromEntries(key.map((field) => [field.name, itemSchema(field)]))
  )
}

/** @param url of a route whose parameters have this schema @throws UnnamedRow without one of them */
export function assertNamesRow(entity: string, { required = [] }: JsonSchema, url: string): void {
  const given = new Set(Array.from(url.matchAll(/:(\w+)/g), ([, name]) => name))
  const names = required as readonly string[]
  if (names.every((name) => given.has(name))) return
  throw new UnnamedRow(url, entity, names.map((name) => `/:${name}`).join(''))
}
