/**
 * The long campaign: `npm run faults -- --minutes 10 [--on postgres,sqlite] [--of jobs] [--seed 7]`. Faults come in random
 * order, on one backend after the other; then instances that deliver webhooks from a shared queue are killed, one every two
 * seconds, and instances that run jobs; and three instances behind a balancer are restarted and killed. The time is shared
 * out evenly. Prints what was seen, and ends with 1 where anything was wrong.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { SeededRandom } from '../../support/seeded-random.ts'
import { runDeliveryCampaign } from '../deliveries/delivery-campaign.ts'
import { SHARED } from '../instances/backends.ts'
import { haproxyProgram } from '../instances/balancer.ts'
import { runHouseCampaign } from '../instances/house-campaign.ts'
import { MOST_PACED, RECOVERED, runJobCampaign } from '../jobs/job-campaign.ts'
import type { Absent, Backend } from './backends/backend.ts'
import { BACKENDS as BY_NAME } from './backends/on-each.ts'
import { type CampaignReport, faultsOf, runCampaign } from './campaign.ts'

/** A history of every attempt takes more room than a disk that is to be filled. */
const DELIVERY_DISK_MB = 2048

const BACKENDS: Readonly<Record<string, (diskMb?: number) => Promise<Backend | Absent>>> = BY_NAME

const CAMPAIGNS: Readonly<Record<string, (backend: string, durationMs: number) => Promise<number>>> = {
  storage: campaignOn,
  deliveries: deliveriesOn,
  jobs: jobsOn,
  instances: instancesOn
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    on: { type: 'string', default: Object.keys(BACKENDS).join(',') },
    of: { type: 'string', default: Object.keys(CAMPAIGNS).join(',') },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) }
  }
})

const names = values.on.split(',')
const campaigns = values.of.split(',')
const unknown = [...names.filter((name) => !(name in BACKENDS)), ...campaigns.filter((name) => !(name in CAMPAIGNS))]
const minutes = Number(values.minutes)
if (unknown.length > 0 || !(minutes > 0 && minutes <= 600)) {
  const options = `[--on ${Object.keys(BACKENDS)}] [--of ${Object.keys(CAMPAIGNS)}] [--seed n]`
  process.stderr.write(`usage: npm run faults -- [--minutes 0.5..600] ${options}\n`)
  process.exit(2)
}

const random = new SeededRandom(Number(values.seed))
process.stdout.write(`seed ${values.seed}, ${minutes} minutes on ${names.join(', ')}\n`)
let wrong = 0
const shareMs = (minutes * 60_000) / names.length / campaigns.length
for (const name of names) {
  for (const campaign of campaigns) wrong += (await CAMPAIGNS[campaign]?.(name, shareMs)) ?? 0
}
process.exitCode = wrong === 0 ? 0 : 1

/** @returns how much was wrong */
async function campaignOn(name: string, durationMs: number): Promise<number> {
  const backend = await (BACKENDS[name] as () => Promise<Backend | Absent>)()
  if ('absent' in backend) {
    process.stdout.write(`\n${name}: SKIPPED, ${backend.absent}\n`)
    return 0
  }
  for (const reason of backend.missing) process.stdout.write(`\n${name}: SKIPPED, ${reason}\n`)
  const end = performance.now() + durationMs
  try {
    const report = await runCampaign(backend, {
      dwellMs: 500 + random.below(3000),
      next: (faults) => (performance.now() < end ? (faults[random.below(faults.length)] ?? null) : null)
    })
    const problems = faultsOf(report)
    process.stdout.write(`\n${name}: ${describe(report)}\n  ${problems.join('\n  ') || 'nothing was wrong'}\n`)
    return problems.length
  } finally {
    await backend.close()
  }
}

/** @returns how much was wrong */
async function deliveriesOn(name: string, durationMs: number): Promise<number> {
  const backend = await (BACKENDS[name] as (diskMb: number) => Promise<Backend | Absent>)(DELIVERY_DISK_MB)
  if ('absent' in backend) return 0
  const everyMs = 2_000
  const kills = Math.max(1, Math.floor(durationMs / everyMs))
  try {
    const plan = { instances: name === 'sqlite' ? 1 : 3, kills, everyMs, callers: 4, pauseMs: 5 }
    const { acknowledged, duplicates, ...wrong } = await runDeliveryCampaign(backend, plan)
    const problems = [...wrong.lost, ...wrong.renamed, ...wrong.afterDeletion, ...wrong.crashes]
    process.stdout.write(
      `\n${name}, deliveries: ${acknowledged} acknowledged over ${kills} kills, ${duplicates} came again\n` +
        `  lost ${wrong.lost.length}, renamed ${wrong.renamed.length}, after deletion ${wrong.afterDeletion.length}\n  ${wrong.crashes.join('\n  ') || 'none ended by itself'}\n`
    )
    return problems.length
  } finally {
    await backend.close()
  }
}

/** On Redis jobs wait in BullMQ. @returns how much was wrong */
async function jobsOn(name: string, durationMs: number): Promise<number> {
  const backend = await (BACKENDS[name] as (diskMb: number) => Promise<Backend | Absent>)(DELIVERY_DISK_MB)
  if ('absent' in backend) return 0
  const everyMs = 2_000
  const dwellMs = 500 + random.below(1500)
  const kills = Math.max(1, Math.floor(durationMs / (everyMs + dwellMs)))
  try {
    const plan = { instances: 3, kills, everyMs, dwellMs, callers: 4, pauseMs: 20, looks: 15 }
    const { acknowledged, repeated, rates, struck, lost, parked, overlaps, crashes, paced } = await runJobCampaign(
      backend,
      plan
    )
    const [before, after] = rates.map(Math.round) as [number, number]
    const faults = Object.entries(struck).map(([fault, times]) => `${fault} ${times} times`)
    // BullMQ limits no lanes.
    const hasty =
      name !== 'redis' && paced > MOST_PACED ? [`${paced} of the lane with a rate began within its time`] : []
    const slow = after < before * RECOVERED ? [`after the last fault ${after} a second, and ${before} before`] : []
    const problems = [...lost.map((job) => `lost: ${job}`), ...overlaps, ...hasty, ...slow, ...crashes]
    process.stdout.write(
      `\n${name}, jobs: ${acknowledged} acknowledged over ${kills} kills, ${repeated} ran again, ${parked.length} were parked and put back; ${before} a second before, ${after} after (${Math.round((after / before) * 100)} %)\n` +
        `  ${faults.join(', ')}\n  ${problems.join('\n  ') || 'nothing was wrong'}\n`
    )
    return problems.length
  } finally {
    await backend.close()
  }
}

/** @returns how much was wrong */
async function instancesOn(name: string, durationMs: number): Promise<number> {
  const program = haproxyProgram()
  // A file is for the instances of one machine, and without a server of its own it cannot be shared behind a balancer.
  const open = SHARED[name === 'redis' ? 'postgres and redis' : name]
  const backend = open === undefined ? null : await open()
  if (backend === null || program === null || 'absent' in backend) {
    const reason = program === null ? 'HAProxy is not installed' : 'it is no server that instances share'
    process.stdout.write(`\n${name}, instances: SKIPPED, ${reason}\n`)
    return 0
  }
  const end = performance.now() + durationMs
  try {
    const plan = { dwellMs: 500 + random.below(3000), goesOn: () => performance.now() < end }
    const { problems, summary, ...counts } = await runHouseCampaign(program, backend, plan)
    process.stdout.write(
      `\n${name}, instances: ${counts.acknowledged} acknowledged over ${counts.restarts} restarts and ${counts.kills} kills\n  ${summary}\n  ${problems.join('\n  ') || 'nothing was wrong'}\n`
    )
    return problems.length
  } finally {
    await backend.close()
  }
}

function describe({ struck, acknowledged, summary }: CampaignReport): string {
  const worst = (given: readonly (number | null)[]) => Math.max(...given.map((ms) => ms ?? Number.POSITIVE_INFINITY))
  const rows = [...new Set(struck.map(({ fault }) => fault))].map((name) => {
    const all = struck.filter(({ fault }) => fault === name)
    const [red, green] = [worst(all.map(({ redMs }) => redMs)), worst(all.map(({ greenMs }) => greenMs))]
    const refusals = all.reduce((sum, { refusals }) => sum + refusals, 0)
    const errors = all.reduce((sum, { errors }) => sum + errors, 0)
    return `${name}, ${all.length} times: red ${red} ms, green ${green} ms at worst, ${refusals} refusals, ${errors} error entries`
  })
  return `${acknowledged} acknowledged writes\n  ${[...rows, summary].join('\n  ')}`
}
