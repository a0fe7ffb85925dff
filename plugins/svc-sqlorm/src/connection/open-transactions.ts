/**
 * The transactions that are open on a database, none of them for ever: one whose
 * work hangs would shut every writer of SQLite out, or keep a connection of
 * PostgreSQL, for as long as the process lives.
 */
import type { Clock } from 'svc-kernel'

export class OpenTransactions {
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #open = new Set<(reason: Error) => void>()

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  /**
   * Settles as `work` does; once its time is over, or at `endAll`, it rejects, whatever `work` does then.
   *
   * @param expired the reason, when the time is over
   * @param onEnd called before it rejects: from then on the transaction must take no more statements
   */
  bounded<T>(work: () => Promise<T>, expired: () => Error, onEnd: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const end = (reason: Error) => {
        settle()
        onEnd()
        reject(reason)
      }
      const timer = this.#clock.setTimeout(() => end(expired()), this.#limitMs)
      const settle = () => {
        this.#clock.clearTimeout(timer)
        this.#open.delete(end)
      }
      this.#open.add(end)
      work().then(
        (result) => {
          settle()
          resolve(result)
        },
        (error: unknown) => {
          settle()
          reject(error)
        }
      )
    })
  }

  endAll(reason: Error): void {
    for (const end of [...this.#open]) end(reason)
  }
}
