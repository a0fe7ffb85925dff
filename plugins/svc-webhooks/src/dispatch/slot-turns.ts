/**
 * Whose turn it is when a slot is free. Endpoints that are not quick hold less than
 * half of the slots together; one of these is for an endpoint that was never asked.
 */
import { EndpointGroup, type EndpointQueue } from './endpoint-group.ts'
import { type EndpointHealth, type SlotShares, slotShares } from './endpoint-health.ts'

export class SlotTurns {
  readonly quick = new EndpointGroup()
  readonly #unproven = new EndpointGroup()
  /** Slow or failing. */
  readonly #slow = new EndpointGroup()
  readonly notQuick: readonly EndpointGroup[] = [this.#unproven, this.#slow]
  readonly all: readonly EndpointGroup[] = [this.quick, ...this.notQuick]
  readonly #shares: SlotShares
  #quickFirst = false
  #fromTheEnd = false

  constructor(maxConcurrent: number) {
    this.#shares = slotShares(maxConcurrent)
  }

  groupOf(health: EndpointHealth): EndpointGroup {
    if (health === 'quick') return this.quick
    return health === 'unproven' ? this.#unproven : this.#slow
  }

  /**
   * Quick endpoints and others take turns, where both have something to send and a slot to send it.
   *
   * @param alone only one endpoint has deliveries
   */
  next(alone: boolean): EndpointQueue | undefined {
    const share = alone ? this.#shares.alone : this.#shares.each
    const quick = this.quick.first(share.quick)
    this.#quickFirst = !this.#quickFirst
    if (quick !== undefined && this.#quickFirst) return quick
    const { notQuick, slowOrFailing } = this.#shares
    if (!alone && this.#unproven.inFlight + this.#slow.inFlight >= notQuick) return quick
    const unproven = this.#nextUnproven(share.unproven)
    if (unproven !== undefined) return unproven
    if (!alone && this.#slow.inFlight >= slowOrFailing) return quick
    const slow = this.#slow.first(share.slow)
    return slow !== undefined && slow.inFlight < share[slow.health] ? slow : quick
  }

  /** From both ends in turn: where many were never asked, neither the first nor the last waits for all the others. */
  #nextUnproven(share: number): EndpointQueue | undefined {
    const first = this.#unproven.first(share)
    if (first === undefined) return undefined
    this.#fromTheEnd = !this.#fromTheEnd
    return this.#fromTheEnd ? first : (this.#unproven.lastUnasked() ?? first)
  }
}
