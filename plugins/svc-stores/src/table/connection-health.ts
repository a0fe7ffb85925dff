/** How a connection fares, as the admin plane shows it. Texts are free of credentials. */

export interface PoolState {
  /** Open connections. */
  readonly size: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
}

export interface ConnectionHealth {
  readonly connected: boolean
  /** Epoch ms; `null` while it is not connected. */
  readonly connectedSince: number | null
  readonly connectCount: number
  readonly reconnectCount: number
  readonly errorCount: number
  readonly lastError: string | null
  /** `null` when the ping was not answered. */
  readonly pingMs: number | null
  /** `null` where the driver keeps none. */
  readonly pool: PoolState | null
}
