/**
 * A row as administrators see it: values as JSON has them, those under the name of a secret masked at any depth, long
 * ones cut. Pure.
 */
import { mayBeSecretName, SecretBox } from 'svc-kernel/plugin'
import { type CompiledEntity, type CompiledField, idField } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'

export interface RowView {
  readonly values: Readonly<Record<string, unknown>>
  /** Fields whose value is longer: what is shown is text, its beginning and `…`. */
  readonly cut: readonly string[]
}

export const MASK = '[masked]'

/** In the place of a text that was encrypted when its field was sealed, which it no longer is. */
export const SEALED = '[sealed]'

/** Characters of a text, and of what is no text as JSON. */
const LONGEST = 200

/** Deeper than any stored value. */
const DEEPEST = 12

/** Where its definition does not say, rather one too many: who has to see such a value has the database. */
export function isMasked({
  name,
  sealed,
  hidden = sealed !== undefined || mayBeSecretName(name)
}: CompiledField): boolean {
  return hidden !== false
}

/** Whether a value was encrypted, and is not to be read as what it looks like: a text. */
export function isBox(value: unknown): boolean {
  return typeof value === 'string' && SecretBox.isBlob(value)
}

/** Fields with `id`, in order; those of secrets are not read at all. */
export function shownFields({ fields }: CompiledEntity): readonly CompiledField[] {
  return [idField, ...fields.values()].filter((field) => !isMasked(field))
}

/** @param fields of `shownFields` */
export function rowView(row: AnyRow, fields: readonly CompiledField[]): RowView {
  const cut: string[] = []
  const values = fields.map(({ name }): [string, unknown] => {
    const value = plain(row[name], 0)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text.length <= LONGEST) return [name, value]
    cut.push(name)
    return [name, beginningOf(text)]
  })
  return { values: Object.fromEntries(values), cut }
}

/** Values that are not cut. @param fields of `shownFields` */
export function wholeRow(row: AnyRow, fields: readonly CompiledField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name }): [string, unknown] => [name, plain(row[name], 0)]))
}

/** No half of a character that two code units make. */
function beginningOf(text: string): string {
  return `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function plain(value: unknown, depth: number): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (typeof value === 'bigint') return String(value)
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return isBox(value) ? SEALED : value
  if (depth === DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, item]) => [key, mayBeSecretName(key) ? MASK : plain(item, depth + 1)]))
}
