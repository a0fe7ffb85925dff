/** The unique key of a job, as its column has it. */
import { createHash } from 'node:crypto'
import { InvalidJobBody } from '../errors.ts'

/** In bytes: PostgreSQL indexes no value of more than 2704. */
const LONGEST = 2000

/** @returns of a long key its digest, which is as unique @throws InvalidJobBody for what is no text: it would be one key for many jobs */
export function uniqueKeyOf(name: string, key: unknown): string {
  if (typeof key !== 'string') throw new InvalidJobBody(name, `its unique key is no text, but ${typeof key}`)
  const whole = `${name} ${key}`
  if (Buffer.byteLength(whole) <= LONGEST) return whole
  return `${name} sha256:${createHash('sha256').update(key).digest('hex')}`
}
