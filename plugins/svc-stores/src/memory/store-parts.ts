/** What every store factory receives. */
import type { Clock } from 'svc-kernel'

export interface StoreParts {
  readonly clock: Clock
}
