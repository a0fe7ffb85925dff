/** One system that runs jobs: what every side of the comparison can do. A job carries a number and does nothing. */

export interface Side {
  add(value: number): Promise<void>
  addMany(values: readonly number[]): Promise<void>
  /** Runs jobs until the result is called. @param run called in each attempt, with the number of the job */
  work(concurrency: number, run: (value: number) => void): Promise<() => Promise<unknown>>
  close(): Promise<unknown>
}

export interface NamedSide {
  readonly name: string
  /** What it stores of a job that has ended. */
  readonly history: boolean
  open(): Promise<Side>
}
