/**
 * A rotation: a new key joins and takes over after a while, so that every instance
 * knows it before the first token comes. What is no longer needed goes: the private
 * part of a key that has stopped signing, and a key whose tokens have all expired. Pure.
 */
import { newStoredKey, type StoredKey } from './signing-key.ts'

/** The longest life an access token may be given, in milliseconds. */
export const LONGEST_ACCESS_MS = 86_400_000

/** How long an instance may take to see a changed key set; see `KeySetFile`. */
export const TAKE_OVER_MS = 120_000

/** @param now epoch ms */
export function rotateKeys(stored: readonly StoredKey[], now: number): StoredKey[] {
  const next = newStoredKey(now + TAKE_OVER_MS)
  const kept = stored.flatMap((key): StoredKey[] => {
    const later = stored.map(({ activeFrom }) => activeFrom).filter((from) => from > key.activeFrom)
    const retiredAt = later.length === 0 ? next.activeFrom : Math.min(...later)
    if (retiredAt > now) return [key]
    if (retiredAt + LONGEST_ACCESS_MS <= now) return []
    const { d: _private, ...verifying } = key
    return [verifying]
  })
  return [next, ...kept]
}
