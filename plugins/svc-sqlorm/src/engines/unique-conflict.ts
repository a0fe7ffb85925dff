/** What a unique index refused, inside the package: repositories and stores answer with an error of their own. */
import type { UniqueConstraint } from './failure.ts'

export class UniqueConflict extends Error {
  readonly constraint: UniqueConstraint | null

  constructor(constraint: UniqueConstraint | null) {
    super('a unique index refused the row')
    this.constraint = constraint
  }
}
