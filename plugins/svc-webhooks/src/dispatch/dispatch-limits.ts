/** The numbers that the dispatcher keeps to; each is an option of the plugin by the same name. */
export interface DispatchLimits {
  /** After the first attempt. */
  readonly maxRetries: number
  /** Consecutive final failures that disable an endpoint; 0 = never. */
  readonly autoDisableThreshold: number
  /** Of one attempt, from the name lookup to the last byte read. */
  readonly deliveryTimeoutMs: number
  readonly maxConcurrent: number
  /** Deliveries that wait, run or stand before a retry, all together. */
  readonly maxQueue: number
  readonly snapshotTtlS: number
}
