/** The value of a column as the text that is sealed, and back. The form is part of what is stored and never changes. Pure. */
import type { ColumnType } from 'svc-stores/table'
import type { CompiledField } from '../entities/compiled-entity.ts'

/** Of equal values equal: it is what hashes are made of. */
export function sealedText({ array }: CompiledField, value: unknown): string {
  return JSON.stringify(array && Array.isArray(value) ? value.map(plainItem) : plainItem(value))
}

export function unsealedValue({ array, fieldType: { storage } }: CompiledField, text: string): unknown {
  const value: unknown = JSON.parse(text)
  return array && Array.isArray(value) ? value.map((item) => heldItem(storage, item)) : heldItem(storage, value)
}

function plainItem(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}

function heldItem(storage: ColumnType, item: unknown): unknown {
  switch (storage) {
    case 'bigint':
      return BigInt(item as string)
    case 'date':
      return new Date(item as string)
    case 'bytes':
      return new Uint8Array(Buffer.from(item as string, 'base64'))
    default:
      return item
  }
}
