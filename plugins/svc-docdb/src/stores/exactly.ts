/** A text as a criterion. What is no text matches nothing: never null, never an operator. Pure. */

const NOTHING: { readonly $in: readonly never[] } = Object.freeze({ $in: Object.freeze([]) as readonly never[] })

export function exactly(given: string): string | { readonly $in: readonly never[] } {
  return typeof given === 'string' ? given : NOTHING
}
