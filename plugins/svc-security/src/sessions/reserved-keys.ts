/**
 * Keys that the content of a session cannot have, whoever writes it: those that decide on a login, and those that
 * `request.session` has itself.
 */
import type { JsonObject } from 'svc-stores'
import { SessionKeyReserved } from '../errors.ts'

/** Set by a login, and by its first factor. */
const OF_LOGINS = ['user', 'pending']
/** Fields and methods of `request.session`, which content of the same name would hide. */
const OF_PLUGIN = [
  'cookie',
  'sessionId',
  'encryptedSessionId',
  'get',
  'set',
  'touch',
  'options',
  'regenerate',
  'reload'
]
const METHODS = ['save', 'destroy', 'isModified', 'isSaved']
/** Kept in its own column. */
const OF_RECORD = ['flash']

const RESERVED = new Set([...OF_LOGINS, ...OF_PLUGIN, ...METHODS, ...OF_RECORD])

/** True for a key of content that `request.session` neither shows nor writes. */
export function isReservedKey(key: string): boolean {
  return RESERVED.has(key) || key in Object.prototype
}

/** @throws SessionKeyReserved (SVC_SEC_SESSION_KEY) */
export function refuseReservedKeys(content: JsonObject): void {
  const reserved = Object.keys(content).find(isReservedKey)
  if (reserved !== undefined) throw new SessionKeyReserved(reserved)
}
