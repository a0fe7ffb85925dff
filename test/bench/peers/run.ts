/**
 * The same application by hand on Fastify, with ours, on NestJS, AdonisJS and Hono: server CPU per request, cold start
 * and memory, side by side. Rounds are interleaved and their order turns; the least of each counts.
 *
 *   npm run bench:peers                  9 rounds of 10000 requests
 *   npm run bench:peers -- 3 3000        3 rounds of 3000
 *   npm run bench:peers -- 9 10000 POST  only the case whose name has this word
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignShare, machineTime } from '../measured/foreign-load.ts'
import { ask, load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'
import { CASES, CHECKS, type Credentials, PUBLIC, presenting } from './cases.ts'
import { report } from './report.ts'
import { quietest, type Sample, Samples } from './samples.ts'
import { installServers, type Server, versions } from './servers.ts'

interface Running {
  readonly server: Server
  readonly child: MeasuredChild
  readonly credentials: Credentials
}

const [rounds = 9, requests = 10_000] = process.argv.slice(2, 4).map(Number)
const cases = CASES.filter(({ name }) => name.includes(process.argv[4] ?? ''))
const samples = new Samples()
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-peers-'))
await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
const servers = await installServers(folder)

for (let round = 0; round < rounds; round += 1) await eachInTurn(servers, round, coldStart)

const running: Running[] = []
try {
  for (const server of servers) running.push(await start(server))
  for (const scenario of cases) for (const one of running) await cost(one, presenting(scenario, one.credentials))
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of cases) {
      await eachInTurn(running, round, async (one) => {
        const sample = await quietest(() => cost(one, presenting(scenario, one.credentials)))
        samples.add(one.server.name, scenario.name, sample)
      })
    }
  }
  for (const { server, child } of running) {
    samples.add(server.name, 'RSS after load', { value: megabytes((await child.read()).rssBytes), foreign: null })
  }
} finally {
  await Promise.all(running.map(({ child }) => child.stop()))
  await rm(folder, { recursive: true, force: true })
}

const names = [servers.map(({ name }) => name), cases.map(({ name }) => name)] as const
console.log(`Node ${process.versions.node}, ${rounds} rounds of ${requests} requests; ${versions().join(', ')}\n`)
console.log(report(...names, samples))

/** Whoever begins changes from round to round, and so does who follows whom. */
async function eachInTurn<Item>(items: readonly Item[], round: number, work: (item: Item) => Promise<void>) {
  const first = round % items.length
  const turned = [...items.slice(first), ...items.slice(0, first)]
  for (const item of round % 2 === 0 ? turned : turned.toReversed()) await work(item)
}

/** Starts, checks that it accepts and refuses as the others do, and asks for what the load is to present. */
async function start(server: Server): Promise<Running> {
  const child = await MeasuredChild.start(server.file)
  try {
    const answer = await fetch(`http://127.0.0.1:${child.port}/public/credentials`)
    const credentials = (await answer.json()) as Credentials
    for (const check of CHECKS) await ask(child.port, presenting(check, credentials))
    return { server, child, credentials }
  } catch (error) {
    await child.stop()
    throw new Error(`${server.name} does not answer as it has to`, { cause: error })
  }
}

/** From the start of the process to its first answer. */
async function coldStart(server: Server): Promise<void> {
  const { value, cpu, rss, foreign } = await quietest(async () => {
    const before = { machine: machineTime(), own: ownCpu(), ms: performance.now() }
    const child = await MeasuredChild.start(server.file)
    try {
      await ask(child.port, PUBLIC)
      const value = performance.now() - before.ms
      const { cpuUs, rssBytes } = await child.read()
      const foreign = foreignShare(before.machine, machineTime(), ownCpu() - before.own + cpuUs)
      return { value, cpu: cpuUs / 1000, rss: megabytes(rssBytes), foreign }
    } finally {
      await child.stop()
    }
  })
  samples.add(server.name, 'cold start', { value, foreign })
  samples.add(server.name, 'cold start, CPU', { value: cpu, foreign })
  samples.add(server.name, 'RSS at start', { value: rss, foreign })
}

/** Microseconds of server CPU per request over one round. */
async function cost({ child }: Running, scenario: Scenario): Promise<Sample> {
  const before = { machine: machineTime(), own: ownCpu(), child: await child.read() }
  await load(child.port, scenario, requests)
  const childUs = (await child.read()).cpuUs - before.child.cpuUs
  const foreign = foreignShare(before.machine, machineTime(), childUs + ownCpu() - before.own)
  return { value: childUs / requests, foreign }
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function megabytes(bytes: number): number {
  return bytes / 1_048_576
}
