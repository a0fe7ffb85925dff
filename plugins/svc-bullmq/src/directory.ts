/**
 * What BullMQ does not keep: which endpoints have a queue, when each delivery was admitted, which go first, and which
 * holders live.
 */

/** An entry without a job is of an admission under way, or of one that broke off; after this time it is the latter. */
export const ADMISSION_MS = 60_000

export interface Admitted {
  readonly id: string
  readonly endpointId: string
}

export interface Directory {
  endpoints(): Promise<string[]>
  /** Written after the jobs of the endpoint: a removal that sees no job leaves the entry of a later one. */
  list(endpointIds: readonly string[]): Promise<void>
  unlist(endpointId: string): Promise<void>
  /** Written before the jobs. What is there keeps its time. */
  note(deliveries: readonly Admitted[]): Promise<void>
  forget(deliveries: readonly Admitted[]): Promise<void>
  /** @returns those that are not hastened yet, the newest first */
  unhurried(deliveries: readonly Admitted[]): Promise<Admitted[]>
  hasten(deliveries: readonly Admitted[]): Promise<void>
  /** They wait for their time again. */
  slow(deliveries: readonly Admitted[]): Promise<void>
  /** @param exists whether there is a job @returns ms since the admission of the oldest; `null`: there is none */
  oldestMs(exists: (delivery: Admitted) => Promise<boolean>): Promise<number | null>
  /** @returns `false` where it is known already */
  enter(holder: string, leaseMs: number): Promise<boolean>
  /** @returns `false` where it was silent for longer than its lease */
  stay(holder: string, leaseMs: number): Promise<boolean>
  go(holder: string): Promise<void>
}
