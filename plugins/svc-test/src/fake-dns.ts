/** A name server with the answers of the test, which may change between two questions: a `lookup` for `parts`. */
import type { Lookup, ResolvedAddress } from 'svc-webhooks'

type Answer = readonly string[] | Error

/** A resolver with the answers of a test: its `lookup` is for `parts.lookup` of svc-webhooks. */
export class FakeDns {
  readonly #answers = new Map<string, Answer[]>()
  readonly #asked: string[] = []

  /** Names that were asked for, in order. */
  get asked(): readonly string[] {
    return this.#asked
  }

  /**
   * What a name resolves to. Several answers are given one after the other; the last one stays.
   *
   * @param answers addresses, or an error as `node:dns` throws it
   */
  set(host: string, ...answers: Answer[]): this {
    this.#answers.set(host, answers)
    return this
  }

  /** Rejects with ENOTFOUND for a name that was never set, as a name server does. */
  readonly lookup: Lookup = async (host) => {
    this.#asked.push(host)
    const answers = this.#answers.get(host) ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    if (answer instanceof Error) throw answer
    return answer.map(addressOf)
  }
}

function addressOf(address: string): ResolvedAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}
