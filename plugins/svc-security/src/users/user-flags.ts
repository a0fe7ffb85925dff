/**
 * The flags of a user record: whether it is switched on, whether it is locked, each under the names that applications give
 * it. Where a record has several, the stricter counts; what is no boolean counts as the stricter one. Pure.
 */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'

/** Names by flag, the first of them ours. */
export const FLAG_NAMES = { enabled: ['enabled', 'active'], locked: ['locked', 'isLocked'] } as const

export interface FlaggedRecord {
  readonly enabled?: boolean | null
  /** The same as `enabled`. */
  readonly active?: boolean | null
  readonly locked?: boolean | null
  /** The same as `locked`. */
  readonly isLocked?: boolean | null
}

/** A user without a flag is switched on, and not locked. */
export function readFlags(record: object): { readonly enabled: boolean; readonly locked: boolean } {
  const { enabled, active, locked, isLocked } = record as Record<string, unknown>
  return { enabled: mayBeOn(enabled) && mayBeOn(active), locked: mayBeLocked(locked) || mayBeLocked(isLocked) }
}

function mayBeOn(flag: unknown): boolean {
  return flag === undefined || flag === true
}

function mayBeLocked(flag: unknown): boolean {
  return flag !== undefined && flag !== false
}

const READ = ['id', 'identifier', 'roles', 'password', ...FLAG_NAMES.enabled, ...FLAG_NAMES.locked]

/** Keys of a record that look like one of ours, or like a flag, and that nothing reads. */
export function unreadKeys(record: object): string[] {
  return Object.entries(record)
    .filter(([key, value]) => {
      return !READ.includes(key) && (typeof value === 'boolean' || nearestName(key, READ) !== undefined)
    })
    .map(([key]) => key)
}

export function unreadKey(key: string): Problem {
  const near = nearestName(key, READ)
  return {
    code: 'SVC_SEC_USER_KEY_UNREAD',
    message: `a record of parts.users has the key ${key}, which nothing reads${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at: 'svc-security.parts.users',
    got: key,
    expected: READ.join(', '),
    fix: near === undefined ? 'remove the key, or use one of the flags' : `write ${near}`,
    more: 'npx svc docs accounts'
  }
}
