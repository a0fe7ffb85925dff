/**
 * A login whose second factor is due, as the session keeps it under `pending`.
 * It holds for five minutes; what cannot be read does not hold. Pure.
 */
import type { JsonObject } from 'svc-stores'

export interface PendingLogin {
  readonly identifier: string
  readonly methods: readonly string[]
  /** Epoch ms: when the first factor held. */
  readonly since: number
}

const LIFE_MS = 300_000

/** @param now epoch ms */
export function readPending({ pending }: JsonObject, now: number): PendingLogin | null {
  if (typeof pending !== 'object' || pending === null || Array.isArray(pending)) return null
  const { identifier, methods, since } = pending as JsonObject
  if (typeof identifier !== 'string' || typeof since !== 'number' || !Array.isArray(methods)) return null
  if (!(since <= now && now - since < LIFE_MS)) return null
  return { identifier, since, methods: methods.filter((method) => typeof method === 'string') }
}
