/**
 * Which endpoint gets a free slot. Endpoints that are not quick hold less than half of the slots together; one of these
 * is for an endpoint that was never asked. Pure.
 */
import { EndpointGroup, type EndpointHealth, type EndpointQueue } from './endpoint-queue.ts'

/** How many attempts may run at a time; each number is at least 1. */
export interface SlotShares {
  /** To all endpoints that are not quick, together: at most half of the slots, the others are kept for quick ones. */
  readonly notQuick: number
  /** To all that are slow or failing: one fewer, so that an endpoint that was never asked finds a slot. */
  readonly slowOrFailing: number
  /** To one endpoint, by its health, while others have deliveries too. */
  readonly each: Readonly<Record<EndpointHealth, number>>
  /** To the only endpoint that has any. */
  readonly alone: Readonly<Record<EndpointHealth, number>>
}

export function slotShares(maxConcurrent: number): SlotShares {
  const part = (numerator: number, denominator: number) =>
    Math.max(1, Math.floor((maxConcurrent * numerator) / denominator))
  const quarter = part(1, 4)
  // Less than half, but of a few slots two: one for what hangs, one for what was never asked.
  const notQuick = Math.max(1, Math.min(2, part(1, 2)), Math.ceil(maxConcurrent / 2) - 1)
  return {
    notQuick,
    slowOrFailing: Math.max(1, notQuick - 1),
    each: { unproven: 1, failing: quarter, slow: quarter, quick: part(3, 4) },
    alone: { unproven: quarter, failing: quarter, slow: part(1, 2), quick: maxConcurrent }
  }
}

export class SlotScheduler {
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
   * Quick endpoints and others alternate, where both have something to send and a slot to send it.
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

  /** From both ends alternately: where many were never asked, neither the first nor the last waits for all the others. */
  #nextUnproven(share: number): EndpointQueue | undefined {
    const first = this.#unproven.first(share)
    if (first === undefined) return undefined
    this.#fromTheEnd = !this.#fromTheEnd
    return this.#fromTheEnd ? first : (this.#unproven.lastUnasked() ?? first)
  }
}
