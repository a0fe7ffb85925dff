/** What follows from the end of an attempt (spec, "Delivery attempt classification"). Pure. */
import type { DeliveryOutcome } from '../history/delivery-record.ts'
import type { AttemptEnd } from './attempt-end.ts'

export type AttemptVerdict = 'success' | 'retry' | 'failure' | 'abandoned'

const TIMEOUT = 408
const TOO_MANY = 429

export function classifyAttempt(end: AttemptEnd): AttemptVerdict {
  switch (end.kind) {
    case 'answered':
      return classifyStatus(end.status)
    case 'failed':
      return 'retry'
    case 'unsent':
      return end.passing ? 'retry' : 'failure'
    case 'abandoned':
      return 'abandoned'
  }
}

/** How a delivery ends with this verdict, when there is no further attempt. */
export function finalOutcome(verdict: AttemptVerdict): DeliveryOutcome {
  switch (verdict) {
    case 'success':
      return 'delivered'
    case 'retry':
      return 'exhausted'
    case 'failure':
      return 'failed'
    case 'abandoned':
      return 'abandoned'
  }
}

function classifyStatus(status: number): AttemptVerdict {
  if (status >= 200 && status <= 299) return 'success'
  if (status >= 500 && status <= 599) return 'retry'
  return status === TIMEOUT || status === TOO_MANY ? 'retry' : 'failure'
}
