/** One form of request: the same bytes for every server that is measured. */

export interface Scenario {
  readonly name: string
  readonly transport: 'http' | 'websocket'
  readonly path: string
  /** JSON sent as a POST body, or the text of each WebSocket message. */
  readonly payload?: string
  /** Further header lines of an HTTP request. */
  readonly headers?: readonly string[]
  readonly status?: number
  /** How the first answer has to end; default: anything. */
  readonly answer?: string
  /** Least ratio to the raw server that we ask of ourselves; none for a row that only explains another. */
  readonly budget?: number
  /** Measured on the raw server under this path instead of ours: what one ingredient costs by itself. */
  readonly ingredient?: string
}
