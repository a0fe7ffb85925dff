/**
 * Sees what instances run, from outside: each attempt reports its begin and its end over HTTP. An attempt whose instance
 * was killed has ended with it.
 */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { portOf } from '../../support/ports.ts'

interface Attempt {
  readonly process: number
  readonly name: string
}

export class Referee {
  /** Ends by kind and name: how often a job ran to its end. */
  readonly ended = new Map<string, number>()
  /** When attempts began, by kind, ms of one clock. */
  readonly begun = new Map<string, number[]>()
  /** What ran at the same moment and must not. */
  readonly overlaps: string[] = []
  readonly #running = new Map<string, Set<Attempt>>()
  readonly #dead = new Set<number>()
  readonly #server: Server
  readonly #alone: (kind: string, name: string) => string | null

  /** @param alone names what runs one at a time; `null`: nothing does */
  private constructor(alone: (kind: string, name: string) => string | null) {
    this.#alone = alone
    this.#server = createServer((request, response) => {
      const [, what, pid, kind, name] = (request.url ?? '').split('/')
      this.#hear(what as string, Number(pid), kind as string, name as string)
      request.resume()
      response.end()
    })
  }

  static async start(alone: (kind: string, name: string) => string | null): Promise<Referee> {
    const referee = new Referee(alone)
    referee.#server.listen(0, '127.0.0.1')
    await once(referee.#server, 'listening')
    return referee
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  /** The processes that run something of what runs one at a time. */
  running(key: string): readonly number[] {
    return [...(this.#running.get(key) ?? [])].map(({ process }) => process)
  }

  /** A process is dead: what it ran has ended, and what it said last may still be on its way. */
  killed(process: number): void {
    this.#dead.add(process)
    for (const attempts of this.#running.values()) {
      for (const attempt of attempts) if (attempt.process === process) attempts.delete(attempt)
    }
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #hear(what: string, process: number, kind: string, name: string): void {
    const key = this.#alone(kind, name) ?? `${kind}/${name}`
    const running = this.#running.get(key) ?? new Set()
    this.#running.set(key, running)
    if (what === 'begin') {
      if (this.#dead.has(process)) return
      for (const other of running) {
        this.overlaps.push(`${key}: ${name} began in ${process} while ${other.name} ran in ${other.process}`)
      }
      running.add({ process, name })
      const begun = this.begun.get(kind) ?? []
      this.begun.set(kind, begun)
      begun.push(performance.now())
      return
    }
    if (what === 'end') this.ended.set(`${kind}/${name}`, (this.ended.get(`${kind}/${name}`) ?? 0) + 1)
    for (const attempt of running) {
      if (attempt.process === process && attempt.name === name) {
        running.delete(attempt)
        return
      }
    }
  }
}
