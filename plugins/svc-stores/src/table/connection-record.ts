/** The history of one connection: since when, how often, and what went wrong last. Times are handed in. */
import type { ConnectionHealth } from './database.ts'

/** What health shows of it. */
export type ConnectionHistory = Pick<
  ConnectionHealth,
  'connectedSince' | 'disconnectedSince' | 'connectCount' | 'reconnectCount' | 'errorCount' | 'lastError'
>

export class ConnectionRecord {
  #connectedSince: number | null = null
  #disconnectedSince: number | null = null
  #connectCount = 0
  #errorCount = 0
  #lastError: string | null = null

  get connected(): boolean {
    return this.#connectedSince !== null
  }

  /** @returns `true` when it was not connected before */
  up(now: number): boolean {
    if (this.#connectedSince !== null) return false
    this.#connectedSince = now
    this.#disconnectedSince = null
    this.#connectCount += 1
    return true
  }

  get disconnectedSince(): number | null {
    return this.#disconnectedSince
  }

  /** It broke off, and nothing says why. @returns `true` when it was connected before */
  lost(now: number): boolean {
    const before = this.#connectedSince !== null
    this.#connectedSince = null
    this.#disconnectedSince ??= now
    return before
  }

  /** @returns `true` when it was connected before */
  down(reason: string, now: number): boolean {
    const before = this.lost(now)
    this.failed(reason, now)
    return before
  }

  /** An error that leaves the connection as it is. @param reason free of credentials and values */
  failed(reason: string, now: number): void {
    if (this.#connectedSince === null) this.#disconnectedSince ??= now
    this.#errorCount += 1
    this.#lastError = reason
  }

  /** Closed on purpose: no error. */
  end(): void {
    this.#connectedSince = null
    this.#disconnectedSince = null
  }

  view(): ConnectionHistory {
    return {
      connectedSince: this.#connectedSince,
      disconnectedSince: this.#disconnectedSince,
      connectCount: this.#connectCount,
      reconnectCount: Math.max(0, this.#connectCount - 1),
      errorCount: this.#errorCount,
      lastError: this.#lastError
    }
  }
}
