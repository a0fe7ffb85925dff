/** A mistake in the declaration of an entity, reported at the place where it is declared. */
import type { Problem } from 'svc-kernel'

export const ENTITY_PAGE = 'npx svc docs declaring-entities'

/** A definition with the place of its declaration. */
export interface Placed {
  /** `file:line`, when known. */
  readonly place: string | null
}

/** @param parts of the five-part report besides code, message and place */
export function entityProblem(
  { place }: Placed,
  code: string,
  message: string,
  parts: Omit<Problem, 'code' | 'message' | 'at' | 'more'> = {}
): Problem {
  return { code, message, ...(place === null ? {} : { at: place }), ...parts, more: ENTITY_PAGE }
}
