/** The keys of a set with what each of them does at a moment. Pure. */
import type { StoredKey } from './key-tools.ts'

export type KeyState = 'signs' | 'next' | 'verifies' | 'over'

export interface KeyRow {
  readonly kid: string
  readonly state: KeyState
  /** Epoch ms. */
  readonly activeFrom: number
  /** Epoch ms when a later key took or takes over; `null` for the last. */
  readonly retiredAt: number | null
}

/** The longest life an access token may have, in milliseconds. */
const LONGEST_ACCESS_MS = 86_400_000

/** @param now epoch ms */
export function keyRows(stored: readonly StoredKey[], now: number): KeyRow[] {
  const signing = stored.filter(({ d, activeFrom }) => d !== undefined && activeFrom <= now)
  const signs = signing.reduce<StoredKey | null>(
    (best, key) => (best === null || key.activeFrom > best.activeFrom ? key : best),
    null
  )
  return stored.map((key) => {
    const later = stored.map(({ activeFrom }) => activeFrom).filter((from) => from > key.activeFrom)
    const retiredAt = later.length === 0 ? null : Math.min(...later)
    return { kid: key.kid, state: stateOf(key, signs, retiredAt, now), activeFrom: key.activeFrom, retiredAt }
  })
}

function stateOf(key: StoredKey, signs: StoredKey | null, retiredAt: number | null, now: number): KeyState {
  if (key === signs) return 'signs'
  if (key.activeFrom > now) return 'next'
  return retiredAt !== null && retiredAt + LONGEST_ACCESS_MS <= now ? 'over' : 'verifies'
}
