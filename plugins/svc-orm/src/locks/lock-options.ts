/** The options of a lock, as its caller gives them. */
import { hasOnlyStorableText, isRecord } from 'svc-stores/table'
import { InvalidFindOptions } from '../errors.ts'

/** How to acquire and hold a lock. */
export interface LockOptions {
  /** How long to wait while another caller holds the lock, in milliseconds. Default 0: refuse at once. */
  readonly waitMs?: number
  /**
   * The time without a heartbeat after which others may take the lock, in milliseconds, at least 1000. Default 15000. Work
   * that blocks the process for longer loses the lock.
   */
  readonly leaseMs?: number
  /** The connector. Default: the first one registered. */
  readonly connector?: string
}

const SHORTEST_LEASE_MS = 1000
const LEASE_MS = 15_000
const LONGEST_MS = 86_400_000
const LONGEST_NAME = 200

/** @throws InvalidFindOptions */
export function readLockOptions(name: unknown, given: unknown): { readonly waitMs: number; readonly leaseMs: number } {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME || !hasOnlyStorableText(name)) {
    throw new InvalidFindOptions('the name of a lock', `a text of 1 to ${LONGEST_NAME} characters`)
  }
  const options = given ?? {}
  if (!isRecord(options)) throw new InvalidFindOptions('options of a lock', 'an object')
  const unknown = Object.keys(options).find((key) => !['waitMs', 'leaseMs', 'connector'].includes(key))
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'waitMs, leaseMs or connector')
  return {
    waitMs: milliseconds('waitMs', options.waitMs ?? 0, 0),
    leaseMs: milliseconds('leaseMs', options.leaseMs ?? LEASE_MS, SHORTEST_LEASE_MS)
  }
}

function milliseconds(option: string, value: unknown, least: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= LONGEST_MS) {
    return value as number
  }
  throw new InvalidFindOptions(option, `milliseconds, an integer from ${least} to ${LONGEST_MS}`)
}
