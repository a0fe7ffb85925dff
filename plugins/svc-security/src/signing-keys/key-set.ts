/**
 * The keys that are known at one moment, and what each of them may do. A key signs
 * from its `activeFrom` until a later one takes over; from then on it verifies only
 * what it signed before, until the last of those tokens has expired. Pure.
 */
import type { PublicJwk, SigningKey } from './signing-key.ts'

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
    if (first === undefined) throw new TypeError('a key set without a private key was let in')
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
