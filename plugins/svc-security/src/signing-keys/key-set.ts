/**
 * The keys that are known at one moment, and what each of them may do. A key signs
 * from its `activeFrom` until a later one takes over; from then on it verifies only
 * what it signed before, until the last of those tokens has expired. Pure.
 */
import { NoSigningKeys } from '../errors.ts'
import { newStoredKey, type PublicJwk, type SigningKey, type StoredKey } from './signing-key.ts'

/** The longest life an access token may be given, in milliseconds. */
export const LONGEST_ACCESS_MS = 86_400_000

/** How long an instance may take to see a changed key set; see `KeySetFile`. */
export const TAKE_OVER_MS = 120_000

export class KeySet {
  readonly keys: readonly SigningKey[]
  readonly #retiredAt: ReadonlyMap<string, number>

  constructor(keys: readonly SigningKey[]) {
    this.keys = keys
    this.#retiredAt = retirements(keys)
  }

  /** The key that signs at `now` (epoch ms): the latest that is active; of equals the first listed. */
  signingKey(now: number): SigningKey {
    const signing = this.keys.filter(({ privateKey }) => privateKey !== null)
    const active = signing.filter(({ activeFrom }) => activeFrom <= now)
    // A key made by a machine whose clock is ahead is better than none.
    const [first, ...rest] =
      active.length > 0 ? active : [...signing].sort((a, b) => b.activeFrom - a.activeFrom).slice(-1)
    if (first === undefined) throw new TypeError('a key set without a private key was accepted')
    return rest.reduce((best, key) => (key.activeFrom > best.activeFrom ? key : best), first)
  }

  /** When a later key takes over (epoch ms), or `null`. */
  retiredAt(kid: string): number | null {
    return this.#retiredAt.get(kid) ?? null
  }

  /**
   * May this key vouch for a token issued at `issuedAt`? Epoch ms.
   *
   * @param graceMs the longest life of a token
   */
  vouches(kid: string, issuedAt: number, now: number, graceMs: number): boolean {
    const retired = this.#retiredAt.get(kid)
    return retired === undefined || (issuedAt <= retired && now < retired + graceMs)
  }

  /** The public part (RFC 7517): every key that may vouch now or later. */
  jwks(now: number, graceMs: number): { readonly keys: readonly PublicJwk[] } {
    const known = this.keys.filter(({ kid }) => now < (this.#retiredAt.get(kid) ?? Infinity) + graceMs)
    return { keys: known.map(({ jwk }) => jwk) }
  }
}

function retirements(keys: readonly SigningKey[]): Map<string, number> {
  const retired = new Map<string, number>()
  for (const { kid, activeFrom } of keys) {
    const later = keys.map((key) => key.activeFrom).filter((from) => from > activeFrom)
    if (later.length > 0) retired.set(kid, Math.min(...later))
  }
  return retired
}

/** The key set in force. Replaced as a whole; whoever keeps something derived from it compares `current`. */
export class KeyRing {
  #current: KeySet | null

  /** @param first `null` where the application uses no signed tokens */
  constructor(first: KeySet | null) {
    this.#current = first
  }

  /** @throws NoSigningKeys */
  get current(): KeySet {
    if (this.#current === null) throw new NoSigningKeys()
    return this.#current
  }

  /** Takes effect with the next token: one of a key that is gone is refused at once. */
  replace(next: KeySet): void {
    this.#current = next
  }
}

/**
 * A rotation: a new key joins and takes over after a while, so that every instance knows it before the first token
 * comes. What is no longer needed goes: the private part of a key that has stopped signing, and a key whose tokens have
 * all expired.
 *
 * @param now epoch ms
 */
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
