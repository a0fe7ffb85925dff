/**
 * Deep copy of plain data. What JSON cannot say is refused, so that no driver
 * keeps what another loses. Keys such as `__proto__` stay plain keys. Pure.
 */
import { InvalidRecord } from '../errors.ts'
import type { Json } from './json.ts'

const MAX_DEPTH = 100

/** @throws InvalidRecord naming `field` */
export function copyJson<T>(value: T, field: string): T {
  return copy(value, field, 0) as T
}

function copy(value: unknown, field: string, depth: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new InvalidRecord(field, 'a number must be finite')
    return value
  }
  if (typeof value !== 'object') throw new InvalidRecord(field, `a ${typeof value} is not data`)
  if (depth === MAX_DEPTH) throw new InvalidRecord(field, `it is nested more than ${MAX_DEPTH} levels deep`)
  return Array.isArray(value) ? copyArray(value, field, depth) : copyObject(value, field, depth)
}

/** By index, so that a hole in the list is seen as the `undefined` it reads as. */
function copyArray(value: readonly unknown[], field: string, depth: number): Json[] {
  return Array.from(value, (item) => copy(item, field, depth + 1))
}

function copyObject(value: object, field: string, depth: number): Record<string, Json> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) throw new InvalidRecord(field, 'an instance is not data')
  const target: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const child: unknown = (value as Record<string, unknown>)[key]
    // As JSON does: a key without a value is no key.
    if (child === undefined) continue
    const copied = copy(child, field, depth + 1)
    if (key === '__proto__') Object.defineProperty(target, key, { value: copied, ...PLAIN })
    else target[key] = copied
  }
  return target
}

const PLAIN = { enumerable: true, configurable: true, writable: true } as const
