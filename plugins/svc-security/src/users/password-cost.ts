/** How much one password hash costs (argon2id, RFC 9106), and when a stored hash is weaker than that. Pure. */

export interface PasswordCost {
  /** KiB of memory. */
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

export const DEFAULT_COST: PasswordCost = Object.freeze({ memoryKib: 19456, passes: 2, parallelism: 1 })

/** True when a hash of cost `stored` is to be made anew at the next login. */
export function isWeaker(stored: PasswordCost, wanted: PasswordCost): boolean {
  return stored.memoryKib < wanted.memoryKib || stored.passes < wanted.passes
}
