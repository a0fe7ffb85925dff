/** Jobs that listen to events: each gets each event once, in the transaction that marks the event as handed on. */
import type { FastifyInstance } from 'fastify'
import type { Jobs } from 'svc-jobs'
import { BootError, decoratorOf, type Problem } from 'svc-kernel'
import { withCause } from 'svc-kernel/plugin'
import type { Transaction } from 'svc-stores/table'
import type { EventCatalogue } from '../definitions/event-catalogue.ts'
import { InvalidListener } from '../errors.ts'
import { messageOf, type StoredEvent } from '../records/event-record.ts'

export class Listeners {
  readonly #fastify: FastifyInstance
  readonly #catalogue: EventCatalogue
  readonly #jobs = new Map<string, Set<string>>()
  #sealed = false
  /** Jobs and events are in one database. */
  #together = false

  constructor(fastify: FastifyInstance, catalogue: EventCatalogue) {
    this.#fastify = fastify
    this.#catalogue = catalogue
  }

  /** @throws InvalidListener */
  listen(type: string, job: string): void {
    if (this.#sealed) throw new InvalidListener(type, 'the application has started')
    if (!this.#catalogue.has(type)) {
      throw new InvalidListener(type, `no such event is declared; known: ${this.#catalogue.names.join(', ') || 'none'}`)
    }
    this.#jobs.set(type, (this.#jobs.get(type) ?? new Set()).add(job))
  }

  /** Definitions of jobs end with the start. @throws BootError (SVC_EVENTS_LISTENER_JOB) */
  seal(): void {
    this.#sealed = true
    if (this.#jobs.size === 0) return
    const known = new Set(this.#service()?.names)
    const problems = [...this.#jobs].flatMap(([type, jobs]) =>
      [...jobs].filter((job) => !known.has(job)).map((job) => missing(type, job, known))
    )
    if (problems.length > 0) throw new BootError(problems)
    const { selections } = this.#fastify.stores
    this.#together = selections.get('jobs') === selections.get('events')
  }

  /** Adds them as caused by whoever emitted the event. @param tx of the mark; `null`: there is none */
  add(event: StoredEvent, tx: Transaction | null): Promise<void> {
    const added = () => this.#add(event, tx)
    return event.cause === null ? added() : withCause(event.cause, added)
  }

  async #add(event: StoredEvent, tx: Transaction | null): Promise<void> {
    const service = this.#service()
    const names = this.#jobs.get(event.type)
    if (service === null || names === undefined) return
    const jobs = tx !== null && this.#together ? service.within(tx) : service
    const message = messageOf(event)
    for (const name of names) {
      // What is written with the mark is there once; elsewhere the key tells a second attempt from the first.
      await jobs.add(name, message, jobs === service ? { unique: event.id } : {})
    }
  }

  #service(): Jobs | null {
    return decoratorOf(this.#fastify, 'jobs')
  }
}

function missing(type: string, job: string, known: ReadonlySet<string>): Problem {
  return {
    code: 'SVC_EVENTS_LISTENER_JOB',
    message: `the job "${job}", which listens to "${type}", is not defined`,
    at: `events.on('${type}', '${job}')`,
    expected: [...known].join(' | ') || 'svc-jobs, registered before svc-events',
    fix: 'define the job with fastify.jobs.define, or register svc-jobs'
  }
}
