/**
 * What a transaction was told last that it may see. Its work may be for one scope after the other, and for two at once:
 * setting and statement are sent as a pair, and pairs one after the other.
 */
import type { CompiledQuery } from 'kysely'

export class TransactionSetting {
  #told = ''
  #turn: Promise<unknown> = Promise.resolve()

  /** @param setting of the caller @param send to the transaction */
  run<T>(setting: CompiledQuery, send: (query: CompiledQuery) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(async () => {
      const told = JSON.stringify(setting.parameters)
      if (told !== this.#told) {
        await send(setting)
        this.#told = told
      }
      return work()
    })
    this.#turn = next.catch(() => undefined)
    return next
  }

  /** What was told is undone with a savepoint. */
  forget(): void {
    this.#told = ''
  }
}
