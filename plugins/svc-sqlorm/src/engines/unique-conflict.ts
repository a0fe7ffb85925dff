/** What a unique index refused, inside the package: repositories and stores answer with an error of their own. */
import type { FailedConstraint } from './failure.ts'

export class UniqueConflict extends Error {
  readonly constraint: FailedConstraint | null

  constructor(constraint: FailedConstraint | null) {
    super('a unique index refused the row')
    this.constraint = constraint
  }
}
