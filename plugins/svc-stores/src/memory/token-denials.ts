/** The denylist of `jti`s and the thresholds of subjects, in memory. Both only move forward. */

export class TokenDenials {
  readonly #expiryByJti = new Map<string, number>()
  readonly #thresholds = new Map<string, number>()

  deny(jti: string, expiresAt: number): void {
    this.#expiryByJti.set(jti, Math.max(expiresAt, this.#expiryByJti.get(jti) ?? 0))
  }

  isDenied(jti: string, now: number): boolean {
    return (this.#expiryByJti.get(jti) ?? 0) > now
  }

  invalidateBefore(subject: string, at: number): number {
    const threshold = Math.max(at, this.#thresholds.get(subject) ?? at)
    this.#thresholds.set(subject, threshold)
    return threshold
  }

  invalidBefore(subject: string): number | null {
    return this.#thresholds.get(subject) ?? null
  }

  /** Removes denials of tokens that have expired anyway. @returns how many */
  purge(now: number): number {
    let removed = 0
    for (const [jti, expiresAt] of this.#expiryByJti) {
      if (expiresAt <= now && this.#expiryByJti.delete(jti)) removed += 1
    }
    return removed
  }
}
