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
  /** Most that svc may cost beside the application by hand, which is 1; none for a row that only explains another. */
  readonly budget?: number
  /** Measured on the application by hand under this path instead of svc: what one ingredient costs by itself. */
  readonly ingredient?: string
}
