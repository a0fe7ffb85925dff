/**
 * One campaign: an application under mixed load, one fault after the other, and at the end the question whether all that
 * was acknowledged is there. Nothing here asserts: it reports what was seen.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { acknowledged, missing } from './acknowledged.ts'
import type { Backend, Fault } from './backends/backend.ts'
import { turns } from './health-watch.ts'
import { Ledger } from './ledger.ts'
import { messageArrives, within } from './message-arrives.ts'
import { MixedLoad } from './mixed-load.ts'
import { Subject } from './subject.ts'

export interface Struck {
  readonly fault: string
  /**
   * Until readiness was red, from the strike or, where the storage can be read on, from the first write that it refused; and
   * green again after the mend; in ms, `null`: it did not turn.
   */
  readonly redMs: number | null
  readonly greenMs: number | null
  /** Whether what happened after the mend was delivered: an event to its receiver, a message to the other instance. */
  readonly delivered: boolean
  /** Error entries in the log, and requests that were refused meanwhile. */
  readonly errors: number
  readonly refusals: number
}

export interface CampaignReport {
  readonly backend: string
  readonly struck: readonly Struck[]
  /** Answers that must not be, and what the process must not do. */
  readonly violations: readonly string[]
  /** Acknowledged, and not there at the end. */
  readonly lost: readonly string[]
  readonly acknowledged: number
  readonly summary: string
}

export interface CampaignPlan {
  /** Asked before each fault; `null` ends the campaign. */
  next(faults: readonly Fault[]): Fault | null
  /** How long a fault lasts once readiness is red, and the quiet before the next one, in ms. */
  readonly dwellMs: number
}

/** What a balancer may wait for. */
const TURN_MS = 2000

/** What was wrong in a campaign, a line each; nothing when all of it held. */
export function faultsOf({ struck, violations, lost }: CampaignReport): string[] {
  const late = (ms: number | null) => ms === null || ms > TURN_MS
  return [
    ...violations,
    ...lost.map((entry) => `lost: ${entry}`),
    ...struck.flatMap(({ fault, redMs, greenMs, delivered }) => [
      ...(late(redMs) ? [`${fault}: readiness was red after ${redMs} ms instead of ${TURN_MS}`] : []),
      ...(late(greenMs) ? [`${fault}: readiness was green ${greenMs} ms after its end instead of ${TURN_MS}`] : []),
      ...(delivered ? [] : [`${fault}: nothing was delivered afterwards`])
    ])
  ]
}

interface Field {
  readonly subject: Subject
  /** A second instance, where instances share something. */
  readonly peer: Subject | null
  readonly load: MixedLoad
  readonly ledger: Ledger
  readonly receiver: WebhookReceiver
}

const DELIVERY_MS = 15_000
/** By when the load has used the room that a log has on a full disk. */
const REFUSAL_MS = 15_000

export async function runCampaign(backend: Backend, { next, dwellMs }: CampaignPlan): Promise<CampaignReport> {
  const { storage, redis } = backend
  const subject = new Subject(redis === undefined ? { storage } : { storage, redis })
  const peer = redis === undefined ? null : subject.sibling()
  const ledger = new Ledger()
  const receiver = await WebhookReceiver.start({ teardown: () => undefined })
  const struck: Struck[] = []
  try {
    await subject.start()
    await peer?.start()
    const load = new MixedLoad(subject, ledger, receiver.url('/hook'))
    await load.prepare()
    load.start()
    const faults = [...backend.faults, ...applicationFaults(subject)]
    for (let fault = next(faults); fault !== null; fault = next(faults)) {
      await sleep(dwellMs)
      struck.push(await strike(fault, { subject, peer, load, ledger, receiver }, dwellMs))
    }
    await sleep(dwellMs)
    await load.stop()
    return {
      backend: backend.name,
      struck,
      violations: [...ledger.violations, ...subject.faults, ...(peer?.faults ?? [])],
      lost: await missing(load, ledger),
      acknowledged: acknowledged(ledger),
      summary: ledger.summary()
    }
  } finally {
    await Promise.all([subject.end('SIGKILL'), peer?.end('SIGKILL')])
    receiver.stop()
  }
}

function applicationFaults(subject: Subject): Fault[] {
  return [
    {
      name: 'the application is killed',
      readable: false,
      strike: async () => void (await subject.end('SIGKILL')),
      mend: () => subject.start()
    },
    {
      name: 'the application stops',
      readable: false,
      strike: async () => {
        const code = await subject.end('SIGTERM')
        if (code !== 0) subject.faults.push(`it stopped with exit code ${code}`)
      },
      mend: () => subject.start()
    }
  ]
}

async function strike(fault: Fault, field: Field, dwellMs: number): Promise<Struck> {
  const { subject, load, ledger } = field
  const [errors, refused] = [subject.errors.length, ledger.refusals]
  load.readable = fault.readable
  await fault.strike(subject.pid)
  // What a log has room for is still written on a full disk: until a write is refused, nothing is wrong.
  if (fault.readable) await within(REFUSAL_MS, async () => ledger.refusals > refused)
  const redMs = await turns(subject, 'red')
  await sleep(dwellMs)
  await fault.mend(subject.pid)
  const greenMs = await turns(subject, 'green')
  load.readable = true
  const delivered = (await eventArrives(field)) && (await peerHears(field))
  return {
    fault: fault.name,
    redMs,
    greenMs,
    delivered,
    errors: subject.errors.length - errors,
    refusals: ledger.refusals - refused
  }
}

/** The load rings all the time. */
async function eventArrives({ receiver }: Field): Promise<boolean> {
  const before = receiver.received.length
  return within(DELIVERY_MS, async () => receiver.received.length > before)
}

async function peerHears({ subject, peer, load }: Field): Promise<boolean> {
  return peer === null || messageArrives(subject, peer, load.session('ben'))
}
