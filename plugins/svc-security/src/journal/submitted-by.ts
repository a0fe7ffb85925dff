/**
 * Whom a refused credential named, carried beside the refusal: as submitted, whether or
 * not there is such a user. The audit reads it; an answer and the log never do.
 */

/** @returns the same error, to be thrown on */
export function submittedBy(error: unknown, identifier: string): unknown {
  return error instanceof Error && Object.isExtensible(error) ? Object.assign(error, { actor: identifier }) : error
}

/** @returns `null` where nobody was named, or it cannot be read */
export function submitterOf(error: unknown): string | null {
  try {
    const { actor } = error as { actor?: unknown }
    return typeof actor === 'string' ? actor : null
  } catch {
    return null
  }
}
