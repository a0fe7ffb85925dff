/**
 * Three instances behind a balancer under mixed load: restarted one after the other, killed, and asked what they agree
 * about. Nothing here asserts: it reports what was seen.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { acknowledged, missing } from '../campaign/acknowledged.ts'
import type { Backend } from '../campaign/backends/backend.ts'
import { Ledger } from '../campaign/ledger.ts'
import { MixedLoad } from '../campaign/mixed-load.ts'
import { House } from './house.ts'
import {
  guessesAreCounted,
  limitsAreShared,
  listed,
  messagesReachAll,
  revocationIsKnown,
  workIsDoneOnce
} from './shared-truth.ts'

export interface HouseReport {
  readonly acknowledged: number
  readonly restarts: number
  readonly kills: number
  /** What was wrong, a line each; nothing when all of it held. */
  readonly problems: readonly string[]
  readonly summary: string
}

export interface HousePlan {
  /** Asked before each round after the first. */
  goesOn(): boolean
  /** The quiet between two acts, in ms. */
  readonly dwellMs: number
}

/** Of an actor between two acts: three instances serve and start on the machine that asks. */
const PAUSE_MS = 250

export async function runHouseCampaign(
  program: string,
  backend: Backend,
  { goesOn, dwellMs }: HousePlan
): Promise<HouseReport> {
  const house = await House.open(program, backend)
  const receiver = await WebhookReceiver.start({ teardown: () => undefined })
  const ledger = new Ledger()
  const problems: string[] = []
  const { instances } = house
  let [restarts, kills] = [0, 0]
  try {
    const load = new MixedLoad(house, ledger, receiver.url('/hook'), PAUSE_MS)
    await load.prepare()
    load.start()
    problems.push(...(await listed(instances, load, ['serving', 'serving', 'serving'])))
    for (let round = 0; round === 0 || goesOn(); round += 1) {
      const refused = ledger.refusedRequests
      for (const instance of instances) {
        await sleep(dwellMs)
        await house.restart(instance)
        restarts += 1
      }
      await sleep(dwellMs)
      const failed = ledger.refusedRequests - refused
      if (failed > 0) problems.push(`a rolling restart failed ${failed} requests`)

      problems.push(...(await revocationIsKnown(instances, load)))
      problems.push(...(await guessesAreCounted(instances.slice(0, -1))))
      problems.push(...(await workIsDoneOnce(instances, load)))
      problems.push(...(await limitsAreShared(instances)))
      if (backend.redis !== undefined) problems.push(...(await messagesReachAll(instances, load)))

      const victim = instances[round % instances.length] as (typeof instances)[number]
      await house.kill(victim)
      kills += 1
      await sleep(dwellMs)
      const living = instances.filter((each) => each !== victim)
      if (round === 0) problems.push(...(await listed(living, load, ['serving', 'serving', 'silent'])))
      await house.start(victim)
    }
    await load.stop()
    if (receiver.received.length === 0) problems.push('no event was delivered')
    return {
      acknowledged: acknowledged(ledger),
      restarts,
      kills,
      problems: [
        ...problems,
        ...ledger.violations,
        ...house.faults,
        ...(await missing(load, ledger)).map((entry) => `lost: ${entry}`)
      ],
      summary: ledger.summary()
    }
  } finally {
    await house.close()
    receiver.stop()
  }
}
