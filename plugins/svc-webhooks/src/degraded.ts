/** When an endpoint is degraded, by how its deliveries of the last 24 hours ended. Pure. */
export const HOURS = 24
export const HOUR_MS = 3_600_000

/** Deliveries that ended, by outcome. */
export interface EndedCounts {
  readonly delivered: number
  readonly failed: number
}

/** Fewer deliveries say nothing about an endpoint. */
const LEAST_ENDED = 5
const DEGRADED_SHARE = 0.1

/** At least 5 deliveries ended within the last 24 hours, and 10 % of them or more failed. */
export function isDegradedBy({ delivered, failed }: EndedCounts): boolean {
  const ended = delivered + failed
  return ended >= LEAST_ENDED && failed / ended >= DEGRADED_SHARE
}

/** Epoch ms: where the last 24 hours begin, the current hour among them. @param now epoch ms */
export function dayBegin(now: number): number {
  return (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS
}

export const NONE_ENDED: EndedCounts = Object.freeze({ delivered: 0, failed: 0 })
