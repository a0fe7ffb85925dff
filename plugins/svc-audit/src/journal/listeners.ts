/** Listeners of the journal. One that throws, or rejects, disturbs neither the others nor the caller. */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent } from 'svc-kernel'
import { isThenable } from 'svc-kernel/plugin'

/**
 * Called with each event. `false`, or a throw, says that it did not take the event; other listeners and the caller go
 * on.
 */
export type AuditListener = (event: AuditEvent) => unknown

/** How a listener takes part in durability. */
export interface SubscribeOptions {
  /**
   * Stores what the listener has taken until now. Who waits for the journal waits for it too, after the events
   * themselves are stored; where it rejects, they are told so. So is the request whose event the listener did not take:
   * for which it threw, or returned `false`.
   */
  readonly flush?: () => Promise<void>
}

interface Subscription {
  readonly listener: AuditListener
  readonly flush: (() => Promise<void>) | undefined
  /** Failed last time: its next failure is not logged again. */
  failing: boolean
}

export class Listeners {
  readonly #log: FastifyBaseLogger
  /** Replaced, never changed, so that a round is not disturbed by who comes and goes. */
  #subscriptions: readonly Subscription[] = []

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  get size(): number {
    return this.#subscriptions.length
  }

  /** @returns unsubscribe */
  add(listener: AuditListener, { flush }: SubscribeOptions = {}): () => void {
    const subscription = { listener, flush, failing: false }
    this.#subscriptions = [...this.#subscriptions, subscription]
    return () => {
      this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription)
    }
  }

  /** Rejects as the first of them does. */
  async flush(): Promise<void> {
    await Promise.all(this.#subscriptions.map(async ({ flush }) => flush?.()))
  }

  /** @returns whether all that store something took it */
  notify(event: AuditEvent): boolean {
    let isTaken = true
    for (const subscription of this.#subscriptions) {
      let answer: unknown = false
      try {
        answer = subscription.listener(event)
        subscription.failing = false
        if (isThenable(answer)) answer.then(undefined, (error: unknown) => this.#failed(subscription, error))
      } catch (error) {
        this.#failed(subscription, error)
      }
      if (answer === false && subscription.flush !== undefined) isTaken = false
    }
    return isTaken
  }

  #failed(subscription: Subscription, error: unknown): void {
    if (subscription.failing) return
    subscription.failing = true
    this.#log.error({ code: 'SVC_AUDIT_LISTENER', err: error }, 'a listener of the audit journal failed')
  }
}
