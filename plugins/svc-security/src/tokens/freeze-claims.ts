/**
 * Claims as they are handed on: nobody who holds them can change what the next
 * request reads, and no member of theirs can reach a prototype. Pure.
 */

/** @throws TypeError for a member `__proto__`, which we never issue */
export function freezeClaims<Claims extends object>(claims: Claims): Readonly<Claims> {
  if (Object.hasOwn(claims, '__proto__')) throw new TypeError('a claim is named __proto__')
  for (const value of Object.values(claims)) {
    if (typeof value === 'object' && value !== null) freezeClaims(value as object)
  }
  return Object.freeze(claims)
}
