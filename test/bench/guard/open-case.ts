/** One case whose application is open: operations are run in batches, and it is closed at the end. */

export interface OpenCase {
  /** Operations in a batch, where 50 are too few to be measured. */
  readonly batch?: number
  run(count: number): Promise<void>
  close(): Promise<void>
}
