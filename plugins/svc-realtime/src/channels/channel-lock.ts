/**
 * A lock: who may subscribe to the channels of a pattern, and who may publish.
 * Compiled from one entry of `channels`. The text that `*` stands for is the
 * subject of its guard, as a route parameter is on a route.
 */
import type { Clause, Problem, Requirement } from 'svc-kernel'
import type { ChannelOption } from '../options.ts'

/** One attribute, or several of which one suffices. */
export type ClauseOption = string | readonly string[]

/** A guard of a channel: clauses, `open` to everyone, or `closed` to every client. */
export type ChannelGuard = Requirement | 'open' | 'closed'

/** The name of the one parameter that a guard of a channel can have as its subject. */
export const SUBJECT = 'rest'

export class ChannelLock {
  readonly pattern: string
  readonly subscribe: ChannelGuard
  readonly publish: ChannelGuard
  readonly #start: string
  readonly #exact: boolean

  constructor({ pattern, anonymous = false, requires = [], publish = false }: ChannelOption) {
    this.pattern = pattern
    this.#exact = !pattern.endsWith('*')
    this.#start = this.#exact ? pattern : pattern.slice(0, -1)
    const guard = requires.map((clause) => this.#clause(clause))
    this.subscribe = anonymous ? 'open' : guard
    if (publish === false) this.publish = 'closed'
    else if (publish === true) this.publish = this.subscribe
    else this.publish = [...guard, ...publish.map((clause) => this.#clause(clause))]
  }

  /** The text that `*` stands for, empty for an exact pattern; `null` when the name does not match. */
  restOf(name: string): string | null {
    if (this.#exact) return name === this.#start ? '' : null
    return name.startsWith(this.#start) ? name.slice(this.#start.length) : null
  }

  #clause(option: ClauseOption): Clause {
    return [option].flat().map((attribute) => (this.#exact ? { attribute } : { attribute, subject: SUBJECT }))
  }
}

/** Entries that contradict themselves, or that another one hides. */
export function channelProblems(options: readonly ChannelOption[]): Problem[] {
  return options.flatMap((option, index) => {
    const at = `svc-realtime.channels[${index}]`
    const twin = options.findIndex(({ pattern }) => pattern === option.pattern)
    const hidden = twin < index ? [problem(at, `"${option.pattern}" is locked by channels[${twin}] already`)] : []
    const locked = option.requires !== undefined
    if ((option.anonymous === true) === locked) {
      const message = locked ? 'anonymous and requires contradict each other' : 'the channel has no lock'
      return [...hidden, problem(at, message, 'give it either requires, or anonymous: true')]
    }
    return hidden
  })
}

function problem(at: string, message: string, fix = 'remove one of them'): Problem {
  return { code: 'SVC_REALTIME_LOCK', message, at, fix, more: 'docs/guides/realtime.md' }
}
