/** Faults of lanes, one each, and the case of the suite that finds it. */
import t from 'tap'
import type { LaneControl, LaneRules, Queue, SharedLaneLimits } from '../../src/queue.ts'
import { clocks, failedCases, type Spoil } from '../support/spoilt-queue.ts'

/** Claims with other limits than those that were asked for. */
const withLimits = (queue: Queue, change: (limits: SharedLaneLimits) => SharedLaneLimits): Queue['claim'] => {
  return (worker, limit, room, rules) => {
    const changed: LaneRules | undefined = rules && {
      limits: (lane) => {
        const limits = rules.limits(lane)
        return limits && change(limits)
      },
      later: (ms) => rules.later(ms)
    }
    return queue.claim(worker, limit, room, changed)
  }
}

const withLanes = (queue: Queue, change: (lanes: LaneControl) => Partial<LaneControl>): Partial<Queue> => {
  const lanes = queue.lanes as LaneControl
  const kept = {
    list: lanes.list.bind(lanes),
    pause: lanes.pause.bind(lanes),
    resume: lanes.resume.bind(lanes)
  }
  return { lanes: { ...kept, ...change(lanes) } }
}

const FAULTS: readonly [fault: string, spoil: Spoil, found: RegExp][] = [
  [
    'lets one more job of a lane run',
    (queue) => ({
      claim: withLimits(queue, ({ concurrent = Number.POSITIVE_INFINITY, rate }) => ({
        concurrent: concurrent + 1,
        rate
      }))
    }),
    /all workers together hold no more/
  ],
  [
    'has a limit for each worker',
    (queue) => {
      const held = new Map<string, number>()
      return {
        claim: async (worker, limit, room, rules) => {
          const most = (lane: string) =>
            (rules?.limits(lane)?.concurrent ?? Number.POSITIVE_INFINITY) - (held.get(worker) ?? 0)
          const found = await queue.claim(worker, limit, (lane) => Math.min(room(lane), most(lane)))
          held.set(worker, (held.get(worker) ?? 0) + found.length)
          return found
        }
      }
    },
    /all workers together hold no more/
  ],
  [
    'knows no rate',
    (queue) => ({ claim: withLimits(queue, ({ concurrent }) => ({ concurrent })) }),
    /a rate lets a burst through/
  ],
  [
    'has the whole rate at once, as often as it is paid back',
    (queue) => ({
      claim: withLimits(queue, ({ concurrent, rate }) => ({ concurrent, rate: rate && { ...rate, burst: rate.max } }))
    }),
    /a rate lets a burst through/
  ],
  [
    'says nothing of when to look again',
    (queue) => ({
      claim: (worker, limit, room, rules) =>
        queue.claim(worker, limit, room, rules && { limits: (lane) => rules.limits(lane), later: () => undefined })
    }),
    /a rate lets a burst through/
  ],
  ['pauses nothing', (queue) => withLanes(queue, () => ({ pause: async () => undefined })), /a paused lane hands out/],
  [
    'resumes nothing',
    (queue) => withLanes(queue, () => ({ resume: async () => undefined })),
    /a paused lane hands out/
  ],
  [
    'pauses lanes with limits alone',
    (queue) => {
      const paused = new Set<string>()
      return {
        ...withLanes(queue, () => ({
          pause: async (lane) => void paused.add(lane),
          resume: async (lane) => void paused.delete(lane)
        })),
        claim: (worker, limit, room, rules) =>
          queue.claim(worker, limit, (lane) => (rules !== undefined && paused.has(lane) ? 0 : room(lane)), rules)
      }
    },
    /a paused lane hands out/
  ],
  [
    'has no pages of lanes',
    (queue) => withLanes(queue, (lanes) => ({ list: () => lanes.list({ limit: 9 }) })),
    /lanes are listed by name/
  ],
  [
    'takes no notice of priorities',
    (queue) => ({
      admit: (worker, jobs) =>
        queue.admit(
          worker,
          jobs.map(({ priority: _, ...job }) => job)
        )
    }),
    /the higher priority goes first/
  ],
  [
    'lets no priority age',
    (queue) => {
      // As if all jobs of a priority were due at once, long ago: the higher one goes first for ever.
      const order = ['urgent', 'high', 'normal', 'low']
      const waiting = new Map<string, number>()
      return {
        admit: (worker, jobs) => {
          for (const { id, priority = 'normal' } of jobs) waiting.set(id, order.indexOf(priority))
          return queue.admit(worker, jobs)
        },
        claim: async (worker, limit, room, rules) => {
          const all = await queue.claim(worker, 1_000, room, rules)
          const rank = ({ id }: { id: string }) => waiting.get(id) ?? 0
          const sorted = [...all].sort((a, b) => rank(a) - rank(b))
          const back = sorted.slice(limit).map(({ id }) => id)
          await queue.settle(worker, { ended: [], retried: [], released: back })
          return sorted.slice(0, limit)
        }
      }
    },
    /each step is worth ten minutes[\s\S]+no stream of urgent jobs/
  ],
  [
    'has what is urgent due before its time',
    (queue) => ({
      admit: (worker, jobs) =>
        queue.admit(
          worker,
          jobs.map((job) => (job.priority === 'urgent' ? { ...job, delayMs: 0 } : job))
        )
    }),
    /a priority makes no job due before its time/
  ],
  [
    'has a rate by the clock of the process alone',
    (queue) => {
      const last = new Map<string, number>()
      return {
        claim: async (worker, limit, room, rules) => {
          const now = clocks.at(-1)?.now() ?? 0
          const isFree = now - (last.get(worker) ?? 0) >= 2_000
          const found = await queue.claim(worker, limit, (lane) =>
            rules?.limits(lane)?.rate === undefined || isFree ? Math.min(room(lane), 5) : 0
          )
          if (found.length > 0) last.set(worker, now)
          return found
        }
      }
    },
    /a rate lets a burst through/
  ]
]

for (const [fault, spoil, found] of FAULTS) {
  t.test(fault, async (t) => {
    t.match(await failedCases(spoil), found)
  })
}
