/** One measurement of the webhooks benchmark. */
export interface Measurement {
  /** What it is chosen by on the command line. */
  readonly name: string
  /**
   * @param rounds how often each side is measured; the sides take turns
   * @param count operations in one round
   * @returns lines of a Markdown table
   */
  measure(rounds: number, count: number): Promise<string[]>
}
